/** The list of runs, with a search and the form for a new run. */
import { useState } from "preact/hooks";
import type { ServerAnswer } from "../../../../lib/api/answers.ts";
import { pluralize } from "../../../../lib/core/text/format.ts";
import { type Runs, useRuns } from "../../browser/use-runs.ts";
import type { Route } from "../../route.ts";
import { canDelete } from "../../run-summary.ts";
import { NewRun } from "../new-run/new-run.tsx";
import { Loading, OutageNotice } from "../waiting.tsx";
import { DeleteMany } from "./delete-many.tsx";
import { type RunsFilter, RunsFilterView } from "./runs-filter.tsx";
import { RunsTable } from "./runs-table.tsx";

interface RunsPageProps {
  server: ServerAnswer | undefined;
  navigate: (route: Route) => void;
}

export function RunsPage({ server, navigate }: RunsPageProps) {
  const [filter, setFilter] = useState<RunsFilter>({ like: "", status: "", order: "newest" });
  const found = useRuns(filter.like, filter.status);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { runs, outage } = found;
  // Stays open: the user may be writing in it.
  const [isFirst, setFirst] = useState(false);
  const isFiltered = filter.like !== "" || filter.status !== "";
  const isEmpty = runs?.length === 0 && !found.isLooking && !found.hasMore;
  if (!isFirst && !isFiltered && isEmpty) setFirst(true);
  const select = (ids: string[], isSelected: boolean): void =>
    setSelected((known) => new Set([...[...known].filter((id) => !ids.includes(id)), ...(isSelected ? ids : [])]));
  return (
    <main class="list">
      <h1>Runs</h1>
      <NewRun isOpen={isFirst} server={server} onStarted={(id) => navigate({ view: "run", id })} />
      <RunsFilterView filter={filter} change={setFilter} />
      <DeleteMany
        runs={(runs ?? []).filter((run) => selected.has(run.id) && canDelete(run))}
        unselect={(ids) => select(ids, false)}
      />
      {outage && <OutageNotice outage={outage} />}
      {!runs && !outage && <Loading what="Loading the runs" />}
      {isEmpty && (isFiltered ? <p class="quiet">No run matches.</p> : <NoRuns />)}
      {runs && runs.length > 0 && (
        <RunsTable
          runs={runs}
          order={filter.order}
          selected={selected}
          select={(id, isSelected) => select([id], isSelected)}
        />
      )}
      {runs && <More found={found} isFiltered={isFiltered} />}
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
function More({ found: { runs = [], hasMore, isLooking, more }, isFiltered }: { found: Runs; isFiltered: boolean }) {
  if (isLooking) return <p class="quiet">{isFiltered ? "Searching…" : "Loading more…"}</p>;
  if (!hasMore) return null;
  return (
    <p>
      <button type="button" onClick={more}>
        {isFiltered ? "Search further" : "Older runs"}
      </button>{" "}
      <span class="quiet">
        {isFiltered ? `${pluralize(runs.length, "run")} found so far.` : `These are the latest ${runs.length}.`}
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
