/** The page that watches runs. */
import { render } from "preact";
import { usePlace } from "./browser/use-place.ts";
import { RunPage } from "./views/run-page.tsx";
import { RunsPage } from "./views/runs-page.tsx";

function Page() {
  const [place, go] = usePlace();
  return place.view === "runs" ? <RunsPage go={go} /> : <RunPage key={place.id} place={place} go={go} />;
}

const root = document.getElementById("page");
root?.replaceChildren();
if (root) render(<Page />, root);
