/** How a run stands, in words: what it does or waits for, until when, what it cost, what went wrong. */
import { useEffect, useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import { endingWords, HERE } from "../../core/ending-words.ts";
import { isElsewhere } from "../browser/ask.ts";
import type { RunData } from "../browser/run-data.ts";
import { colourOf, money, span, stateOf, waitingFor } from "../words.ts";

export function RunState({ data }: { data: RunData }) {
  const { run, lost, problem } = data;
  const now = useNow();
  if (!run) return null;
  const newsAt = data.newsAt ?? run.updatedAt;
  const isWorking = ["queued", "planning", "running", "delivering"].includes(run.status);
  const { usd } = run.options.budget;
  // Where nothing but its own words is to be said of it, they stand above.
  const waits = run.waitUntil !== undefined || !run.detail ? waitingFor(run, now) : undefined;
  return (
    <div>
      <p>
        <span class={`dot ${colourOf(run)}`} /> {stateOf(run)}
        {run.detail ? `: ${run.detail}` : ""}
        {isWorking ? ` · last news ${span(now - Date.parse(newsAt))} ago` : ""}
      </p>
      {waits && <p>{waits}</p>}
      <p class="quiet">
        {money(run.microUsd)}
        {usd === undefined ? "" : ` of ${money(usd * 1e6)}`} · {run.turns} turns · {run.files} files
        {run.testsTotal > 0 ? ` · tests ${run.testsPassed}/${run.testsTotal}` : ""} · {run.profile.model} ·{" "}
        <code>{run.id}</code>
      </p>
      {run.unchecked.length > 0 && <p class="quiet">Unchecked: {run.unchecked.join("; ")}</p>}
      <Ending run={run} />
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

const ENDED = ["partial", "failed", "cancelled"];

/** The same words as in a terminal; a run that completed says in its state all there is to say. */
function Ending({ run }: { run: RunView }) {
  if (!ENDED.includes(run.status) && run.reason !== "unchecked") return null;
  const place = isElsewhere ? { flag: " --remote", elsewhere: true } : HERE;
  const { kept, cost, next } = endingWords(run, { files: run.files, place });
  return (
    <dl class="ending" aria-label="What is kept">
      <dt>Kept</dt>
      <dd>{kept}</dd>
      <dt>Cost</dt>
      <dd>{cost}</dd>
      {next !== undefined && <dt>Next</dt>}
      {next !== undefined && (
        <dd>
          <code>{next}</code>
        </dd>
      )}
    </dl>
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
