/** An option of a run as a field: typed, or chosen from what it can be. */
import { fieldName, type OptionField } from "../../option-fields.ts";
import { KNOWN_MODELS } from "./known-models.tsx";
import { Labelled } from "./labelled.tsx";

export function OptionInput({ field, problem }: { field: OptionField; problem: string | undefined }) {
  const { name, label, flag, choices, placeholder, unset } = field;
  const invalid = { "aria-invalid": problem !== undefined, name: fieldName(name) };
  return (
    <Labelled label={flag ? `${label} (${flag})` : label} problem={problem}>
      {choices ? (
        <select {...invalid}>
          <option value="">{unset}</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : name === "model" ? (
        <input {...invalid} placeholder={placeholder} list={KNOWN_MODELS} />
      ) : (
        <input {...invalid} placeholder={placeholder} />
      )}
    </Labelled>
  );
}
