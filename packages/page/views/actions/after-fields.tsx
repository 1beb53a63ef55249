/** What the next run is to do, with which model, and what it may cost. */
import type { RunView } from "../../../../lib/api/answers.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import type { Problems } from "../../browser/wrong-field.ts";
import { isRehearsal } from "../../run-summary.ts";
import { Labelled } from "../form/labelled.tsx";
import { Words } from "../form/words.tsx";

interface AfterFieldsProps {
  run: RunView;
  problems: Problems["fields"];
}

export const AfterFields = ({ run, problems: { task, model, usd } }: AfterFieldsProps) => (
  <>
    <Words name="task" label="Task" problem={task} />
    {!isRehearsal(run) && (
      <>
        <Labelled label="Model" problem={model}>
          <input name="model" aria-invalid={model !== undefined} value={reveal(run.profile.model)} />
        </Labelled>
        <Labelled label="Ceiling in US dollars" problem={usd}>
          <input name="usd" inputMode="decimal" aria-invalid={usd !== undefined} value={run.options.budget.usd ?? ""} />
        </Labelled>
      </>
    )}
  </>
);
