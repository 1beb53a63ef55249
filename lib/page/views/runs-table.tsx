/** Runs as a table; on narrow screens each is a card. */
import type { RunView } from "../../api/answers.ts";
import { acceptedOf } from "../../core/run/run.ts";
import { reveal } from "../../core/text/sanitize.ts";
import { useNow } from "../browser/use-now.ts";
import { progressOf, reasonOf, spentOf } from "../run-summary.ts";
import { ago, colourOf, stateOf } from "../words.ts";
import { Share } from "./fact.tsx";

export function RunsTable({ runs }: { runs: RunView[] }) {
  const now = useNow();
  return (
    <table class="runs" aria-label="Runs">
      <thead>
        <tr>
          <th>Run</th>
          <th>State</th>
          <th>Done</th>
          <th class="number">Cost</th>
          <th class="number">Started</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row key={run.id} run={run} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ run, now }: { run: RunView; now: number }) {
  const reason = reasonOf(run, now);
  return (
    <tr>
      <td class="named">
        <a href={`#run=${run.id}`}>{reveal(run.name)}</a>
        <div class="quiet clip">{reveal(run.title)}</div>
      </td>
      <td class="state">
        <span class={`dot ${colourOf(run)}`} /> {stateOf(run)}
        {reason && <div class="quiet small few-lines">{reveal(reason)}</div>}
      </td>
      <td class="done">
        {progressOf(run)}
        {run.instructions > 0 && <Share label="Instructions done" of={acceptedOf(run) / run.instructions} />}
      </td>
      <td class="number">{spentOf(run).text}</td>
      <td class="number">{ago(now - Date.parse(run.createdAt))}</td>
    </tr>
  );
}
