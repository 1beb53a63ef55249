/** All runs: found by a word, each with how it stands; and a new one. */

import { useState } from "preact/hooks";
import { pluralize } from "../../core/text/format.ts";
import { type Runs, useRuns } from "../browser/use-runs.ts";
import type { Place } from "../place.ts";
import { AwayState } from "./away-state.tsx";
import { Late } from "./late.tsx";
import { NewRun } from "./new-run.tsx";
import { RunsTable } from "./runs-table.tsx";

export function RunsPage({ go }: { go: (place: Place) => void }) {
  const [like, setLike] = useState("");
  const found = useRuns(like);
  const { runs, away } = found;
  // Once it was open it stays: somebody may be writing in it.
  const [isFirst, setFirst] = useState(false);
  const isEmpty = runs?.length === 0 && !found.isLooking && !found.hasMore;
  if (!isFirst && like === "" && isEmpty) setFirst(true);
  return (
    <main class="narrow">
      <h1>Runs</h1>
      <NewRun isOpen={isFirst} onStarted={(id) => go({ view: "run", id, tab: "transcript" })} />
      <label class="search">
        Find
        <input
          type="search"
          value={like}
          onInput={(event) => setLike(event.currentTarget.value)}
          placeholder="a word of its name or task"
        />
      </label>
      {away && <AwayState away={away} />}
      {!runs && !away && <Late what="Asking for the runs" />}
      {isEmpty && (like ? <p class="quiet">No run has this word.</p> : <NoRuns />)}
      {runs && runs.length > 0 && <RunsTable runs={runs} />}
      {runs && <More found={found} like={like} />}
      <Unreadable ids={found.unreadable ?? []} />
    </main>
  );
}

const NoRuns = () => (
  <div class="card">
    <p>There are no runs yet. Begin one above, or in a terminal:</p>
    <p>
      <code>npx l2mac "&lt;task&gt;"</code>
    </p>
    <p class="quiet">
      Without a model and a key, to see how it goes: <code>npx l2mac run --rehearse</code>
    </p>
  </div>
);

/** More than a page of them is asked for when somebody wants it. */
function More({ found: { runs = [], hasMore, isLooking, more }, like }: { found: Runs; like: string }) {
  if (isLooking) return <p class="quiet">{like ? "Searching…" : "Asking for more…"}</p>;
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
      {pluralize(ids.length, "run")} cannot be shown, written by another version of l2mac: <code>{ids.join(" ")}</code>.
      Nothing of them is changed; open them with the version that wrote them.
    </p>
  );
}
