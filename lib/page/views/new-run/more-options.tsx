/** Every other option of a run, in the groups of the table of options. */
import { fieldName, type OptionField, optionGroups } from "../../option-fields.ts";
import { Labelled } from "./labelled.tsx";

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
            <Field key={field.name} field={field} problem={problems[fieldName(field.name)]} />
          ))}
        </div>
      </fieldset>
    ))}
  </details>
);

function Field({ field, problem }: { field: OptionField; problem: string | undefined }) {
  const { name, label, flag, choices, placeholder } = field;
  const invalid = { "aria-invalid": problem !== undefined, name: fieldName(name) };
  return (
    <Labelled label={flag ? `${label} (${flag})` : label} problem={problem}>
      {choices ? (
        <select {...invalid}>
          <option value="">{placeholder === "server default" ? placeholder : `default: ${placeholder}`}</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input {...invalid} placeholder={placeholder} />
      )}
    </Labelled>
  );
}
