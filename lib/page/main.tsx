/** The page that watches runs. */
import { render } from "preact";
import { useRef } from "preact/hooks";
import { usePlace } from "./browser/use-place.ts";
import { RunPage } from "./views/run-page.tsx";
import { RunsPage } from "./views/runs-page.tsx";

function Page() {
  const [place, go] = usePlace();
  const first = useRef(place);
  if (place.view === "runs") return <RunsPage go={go} />;
  return <RunPage key={place.id} place={place} go={go} hasArrived={place !== first.current} />;
}

const root = document.getElementById("page");
root?.replaceChildren();
if (root) render(<Page />, root);
