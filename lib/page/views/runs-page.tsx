/** All runs: found by a word, each with how it stands; and a new one. */
import { useEffect, useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import { ask } from "../browser/ask.ts";
import type { Place } from "../place.ts";
import { colourOf, money, span, stateOf } from "../words.ts";
import { Wide } from "./code.tsx";
import { Late } from "./late.tsx";
import { NewRun } from "./new-run.tsx";

const EVERY_MS = 2_000;
const SHOWN = 100;

export function RunsPage({ go }: { go: (place: Place) => void }) {
  const [like, setLike] = useState("");
  const { runs, problem } = useRuns(like);
  return (
    <main class="narrow">
      <h1>Runs</h1>
      <NewRun onBegun={(id) => go({ view: "run", id, tab: "transcript" })} />
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
      {runs?.length === 0 && (
        <p class="quiet">
          {like
            ? "No run has this word."
            : 'There are no runs yet. Begin one above, or in a terminal: npx l2mac "<task>"'}
        </p>
      )}
      {runs && runs.length > 0 && <RunsTable runs={runs} />}
    </main>
  );
}

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

const RunsTable = ({ runs }: { runs: RunView[] }) => (
  <Wide label="Runs">
    <table>
      <thead>
        <tr>
          <th>Run</th>
          <th>State</th>
          <th class="number">Done</th>
          <th class="number">Cost</th>
          <th class="number">Age</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <a href={`#run=${run.id}`}>{run.name}</a>
              <div class="quiet clip">{run.title}</div>
            </td>
            <td>
              <span class={`dot ${colourOf(run)}`} /> {stateOf(run)}
            </td>
            <td class="number">
              {Math.min(Math.max(0, run.pc - 1), run.instructions)}/{run.instructions}
            </td>
            <td class="number">{money(run.microUsd)}</td>
            <td class="number">{span(Date.now() - Date.parse(run.createdAt))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Wide>
);
