/** The list of runs, with a search and the form for a new run. */
import { useState } from "preact/hooks";
import { pluralize } from "../../core/text/format.ts";
import { type Runs, useRuns } from "../browser/use-runs.ts";
import type { Route } from "../route.ts";
import { NewRun } from "./new-run.tsx";
import { RunsTable } from "./runs-table.tsx";
import { Loading, OutageNotice } from "./waiting.tsx";

export function RunsPage({ navigate }: { navigate: (route: Route) => void }) {
  const [like, setLike] = useState("");
  const found = useRuns(like);
  const { runs, outage } = found;
  // Stays open: the user may be writing in it.
  const [isFirst, setFirst] = useState(false);
  const isEmpty = runs?.length === 0 && !found.isLooking && !found.hasMore;
  if (!isFirst && like === "" && isEmpty) setFirst(true);
  return (
    <main class="narrow">
      <h1>Runs</h1>
      <NewRun isOpen={isFirst} onStarted={(id) => navigate({ view: "run", id })} />
      <label class="search">
        Find
        <input
          type="search"
          value={like}
          onInput={(event) => setLike(event.currentTarget.value)}
          placeholder="part of a name or task"
        />
      </label>
      {outage && <OutageNotice outage={outage} />}
      {!runs && !outage && <Loading what="Loading the runs" />}
      {isEmpty && (like ? <p class="quiet">No run matches.</p> : <NoRuns />)}
      {runs && runs.length > 0 && <RunsTable runs={runs} />}
      {runs && <More found={found} like={like} />}
      <Unreadable ids={found.unreadable ?? []} />
    </main>
  );
}

const NoRuns = () => (
  <div class="card">
    <p>There are no runs yet. Start one above, or in a terminal:</p>
    <p>
      <code>npx l2mac "&lt;task&gt;"</code>
    </p>
    <p class="quiet">
      To try it without a model and a key: <code>npx l2mac run --rehearse</code>
    </p>
  </div>
);

/** More pages are loaded on request. */
function More({ found: { runs = [], hasMore, isLooking, more }, like }: { found: Runs; like: string }) {
  if (isLooking) return <p class="quiet">{like ? "Searching…" : "Loading more…"}</p>;
  if (!hasMore) return null;
  return (
    <p>
      <button type="button" onClick={more}>
        {like ? "Search further" : "Older runs"}
      </button>{" "}
      <span class="quiet">
        {like ? `${pluralize(runs.length, "run")} found so far.` : `These are the latest ${runs.length}.`}
      </span>
    </p>
  );
}

function Unreadable({ ids }: { ids: string[] }) {
  if (ids.length === 0) return null;
  return (
    <p class="warning">
      {pluralize(ids.length, "run")} cannot be shown, because another version of l2mac wrote them:{" "}
      <code>{ids.join(" ")}</code>. They are unchanged; open them with that version.
    </p>
  );
}
