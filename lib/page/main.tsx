/** The page that watches runs. */
import { render } from "preact";
import { useRef } from "preact/hooks";
import { useRoute } from "./browser/use-route.ts";
import { RunPage } from "./views/run-page.tsx";
import { RunsPage } from "./views/runs/runs-page.tsx";

function Page() {
  const [route, navigate] = useRoute();
  const first = useRef(route);
  if (route.view === "runs") return <RunsPage navigate={navigate} />;
  return <RunPage key={route.id} route={route} navigate={navigate} hasArrived={route !== first.current} />;
}

const root = document.getElementById("page");
root?.replaceChildren();
if (root) render(<Page />, root);
