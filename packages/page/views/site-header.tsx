/** The head of every view: the product, its server, and the model that it asks. */
import type { ServerAnswer } from "../../../lib/api/answers.ts";
import { reveal } from "../../../lib/core/text/sanitize.ts";
import { isElsewhere } from "../browser/ask.ts";

/** `server`: undefined until it answers. */
export const SiteHeader = ({ server }: { server: ServerAnswer | undefined }) => (
  <header class="site">
    <a class="product" href="#runs">
      L2MAC
    </a>
    {server && (
      <span class="quiet small clip where">
        {server.version && `version ${server.version} · `}
        {isElsewhere ? "deployed API" : location.host}
        {server.home !== undefined && <span title="The folder of these runs"> · {reveal(server.home)}</span>}
      </span>
    )}
    {server && <ModelState server={server} />}
  </header>
);

function ModelState({ server: { model, isReady } }: { server: ServerAnswer }) {
  if (model === undefined) return <span class="small odd served">no model is set</span>;
  return (
    <span class={`small served ${isReady ? "quiet" : "odd"}`}>
      {reveal(model)}: {isReady ? "key set" : "its key is not set"}
    </span>
  );
}
