/** All runs: found by a word, each with how it stands; and a new one. */
import { useEffect, useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import { ask } from "../browser/ask.ts";
import type { Place } from "../place.ts";
import { Late } from "./late.tsx";
import { NewRun } from "./new-run.tsx";
import { RunsTable } from "./runs-table.tsx";

const EVERY_MS = 2_000;
const SHOWN = 100;

export function RunsPage({ go }: { go: (place: Place) => void }) {
  const [like, setLike] = useState("");
  const { runs, problem } = useRuns(like);
  // Once it was open it stays: somebody may be writing in it.
  const [isFirst, setFirst] = useState(false);
  if (!isFirst && like === "" && runs?.length === 0) setFirst(true);
  return (
    <main class="narrow">
      <h1>Runs</h1>
      <NewRun isOpen={isFirst} onBegun={(id) => go({ view: "run", id, tab: "transcript" })} />
      <label class="search">
        Find
        <input
          type="search"
          value={like}
          onInput={(event) => setLike(event.currentTarget.value)}
          placeholder="a word of its name or task"
        />
      </label>
      {problem && (
        <p class="lost" role="status">
          {problem}
        </p>
      )}
      {!runs && !problem && <Late what="Asking for the runs" />}
      {runs?.length === 0 && (like ? <p class="quiet">No run has this word.</p> : <NoRuns />)}
      {runs && runs.length > 0 && <RunsTable runs={runs} />}
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

function useRuns(like: string): { runs?: RunView[]; problem?: string } {
  const [known, setKnown] = useState<{ runs?: RunView[]; problem?: string }>({});
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      try {
        const query = `limit=${SHOWN}${like ? `&q=${encodeURIComponent(like)}` : ""}`;
        const { runs } = await ask<{ runs: RunView[] }>(`/runs?${query}`, { signal: ending.signal });
        setKnown({ runs });
      } catch (error) {
        if (ending.signal.aborted) return;
        const words = error instanceof Error ? error.message : String(error);
        setKnown((before) => ({ ...before, problem: `${words} Trying again.` }));
      }
      if (!ending.signal.aborted) timer = setTimeout(look, EVERY_MS);
    };
    void look();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [like]);
  return known;
}
