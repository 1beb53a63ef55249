/** How a run stands, in words: what it does or waits for, until when, what it cost, what went wrong. */
import { useEffect, useState } from "preact/hooks";
import type { RunData } from "../browser/run-data.ts";
import { money, span, stateOf } from "../words.ts";

export function RunState({ data }: { data: RunData }) {
  const { run, events, lost, problem } = data;
  const now = useNow();
  if (!run) return null;
  const last = events.at(-1);
  const isWorking = ["queued", "planning", "running", "delivering"].includes(run.status);
  const { usd } = run.options.budget;
  return (
    <div>
      <p>
        <span class={`dot ${run.status}`} /> {stateOf(run)}
        {run.detail ? `: ${run.detail}` : ""}
        {isWorking && last ? ` · last news ${span(now - Date.parse(last.at))} ago` : ""}
      </p>
      <p class="quiet">
        {money(run.microUsd)}
        {usd === undefined ? "" : ` of ${money(usd * 1e6)}`} · {run.turns} turns · {run.files} files
        {run.testsTotal > 0 ? ` · tests ${run.testsPassed}/${run.testsTotal}` : ""} · {run.profile.model} ·{" "}
        <code>{run.id}</code>
      </p>
      {run.unchecked.length > 0 && <p class="quiet">Unchecked: {run.unchecked.join("; ")}</p>}
      {lost && (
        <p class="lost" role="status">
          The server has not answered for {span(now - lost.since)}; next try in {span(Math.max(0, lost.next - now))}.
          Nothing of the run is lost.
        </p>
      )}
      {problem && (
        <p class="lost" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
