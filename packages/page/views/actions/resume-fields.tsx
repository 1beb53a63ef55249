/** What can be changed of a run as it goes on: its ceiling, a hint; and folded, its model and how it works. */
import type { RunView } from "../../../../lib/api/answers.ts";
import { useServer } from "../../browser/use-server.ts";
import type { Problems } from "../../browser/wrong-field.ts";
import { fieldName, fieldOf } from "../../option-fields.ts";
import { resumeOptions, valueNow } from "../../resume-options.ts";
import { raiseOf } from "../../run-summary.ts";
import { KnownModels } from "../form/known-models.tsx";
import { Labelled } from "../form/labelled.tsx";
import { OptionInput } from "../form/option-input.tsx";
import { Words } from "../form/words.tsx";

interface ResumeFieldsProps {
  run: RunView;
  problems: Problems["fields"];
}

export function ResumeFields({ run, problems }: ResumeFieldsProps) {
  const server = useServer();
  const { label, now, offered } = raiseOf(run);
  return (
    <>
      <Labelled label={`${label} ${now === undefined ? "(none now)" : `(now ${now})`}`} problem={problems.ceiling}>
        <input
          name="ceiling"
          inputMode="decimal"
          aria-invalid={problems.ceiling !== undefined}
          defaultValue={offered === undefined ? "" : String(offered)}
        />
      </Labelled>
      <Words name="hint" label="Hint for the instruction at which it stopped (optional)" problem={problems.hint} />
      <details class="options">
        <summary>Change the model, other ceilings, or how the run works</summary>
        <p class="quiet">What you leave empty stays as it is.</p>
        <div class="fields">
          {resumeOptions(run).map((option) => (
            <OptionInput
              key={option.name}
              field={fieldOf(option, valueNow(run, option.name))}
              problem={problems[fieldName(option.name)]}
            />
          ))}
        </div>
        <KnownModels server={server} />
      </details>
    </>
  );
}
