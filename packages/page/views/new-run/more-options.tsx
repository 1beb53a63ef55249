/** Every other option of a run, in the groups of the table of options. */
import { fieldName, optionGroups } from "../../option-fields.ts";
import { OptionInput } from "../form/option-input.tsx";

const TITLES = {
  task: "Program size",
  program: "Tools",
  model: "Model",
  budget: "Ceilings",
  execution: "Execution",
  computer: "Computer",
};

export const MoreOptions = ({ problems }: { problems: Record<string, string | undefined> }) => (
  <details class="options">
    <summary>More options</summary>
    {optionGroups.map(({ group, fields }) => (
      <fieldset key={group}>
        <legend>{TITLES[group]}</legend>
        <div class="fields">
          {fields.map((field) => (
            <OptionInput key={field.name} field={field} problem={problems[fieldName(field.name)]} />
          ))}
        </div>
      </fieldset>
    ))}
  </details>
);
