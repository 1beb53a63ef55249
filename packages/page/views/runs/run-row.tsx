/** One run in the list: what it is, how far it is, and what it took. */
import type { RunView } from "../../../../lib/api/answers.ts";
import { acceptedOf } from "../../../../lib/core/run/run.ts";
import { shortId } from "../../../../lib/core/text/format.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { canDelete, isRehearsal, progressOf, reasonOf, spentOf, takenOf, testsOf } from "../../run-summary.ts";
import { ago, colourOf, stateOf } from "../../words.ts";
import { Share } from "../fact.tsx";

interface RunRowProps {
  run: RunView;
  now: number;
  isSelected: boolean;
  select: (id: string, isSelected: boolean) => void;
}

export function RunRow({ run, now, isSelected, select }: RunRowProps) {
  const reason = reasonOf(run, now);
  return (
    <tr>
      <td class="named">
        <a href={`#run=${run.id}`}>{reveal(run.name)}</a> {isRehearsal(run) && <span class="badge">rehearsal</span>}
        <div class="quiet clip">{reveal(run.title)}</div>
        <div class="quiet small clip">
          <code>{shortId(run.id)}</code> · {run.options.domain}
          {!isRehearsal(run) && ` · ${reveal(run.profile.model)}`}
        </div>
      </td>
      <td class="state">
        <span class={`dot ${colourOf(run)}`} /> {stateOf(run)}
        {reason && <div class="quiet small few-lines">{reveal(reason)}</div>}
      </td>
      <td class="done">
        {progressOf(run)}
        {run.instructions > 0 && <Share label="Instructions done" of={acceptedOf(run) / run.instructions} />}
      </td>
      <td class="number">{testsOf(run)}</td>
      <td class="number">{spentOf(run).text}</td>
      <td class="number">{takenOf(run, now)}</td>
      <td class="number">{ago(now - Date.parse(run.createdAt))}</td>
      <td class="select">
        <input
          type="checkbox"
          aria-label={`Select ${reveal(run.name)}`}
          disabled={!canDelete(run)}
          checked={isSelected}
          onChange={(event) => select(run.id, event.currentTarget.checked)}
        />
      </td>
    </tr>
  );
}
