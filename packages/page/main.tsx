/** The page that watches runs. */
import { render } from "preact";
import { useRef } from "preact/hooks";
import { useRoute } from "./browser/use-route.ts";
import { useServer } from "./browser/use-server.ts";
import { RunPage } from "./views/run-page.tsx";
import { RunsPage } from "./views/runs/runs-page.tsx";
import { SiteHeader } from "./views/site-header.tsx";

function Page() {
  const [route, navigate] = useRoute();
  const first = useRef(route);
  const server = useServer();
  return (
    <>
      <SiteHeader server={server} />
      {route.view === "runs" ? (
        <RunsPage server={server} navigate={navigate} />
      ) : (
        <RunPage key={route.id} route={route} navigate={navigate} hasArrived={route !== first.current} />
      )}
    </>
  );
}

const root = document.getElementById("page");
root?.replaceChildren();
if (root) render(<Page />, root);
