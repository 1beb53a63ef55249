/** Where a new run begins: before which instruction, and under which name. */
import type { ProgramAnswer, RunView } from "../../../../lib/api/answers.ts";
import { lastWayBack } from "../../../../lib/core/run/way-back.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import type { Problems } from "../../browser/wrong-field.ts";
import { Labelled } from "../form/labelled.tsx";

interface BackFieldsProps {
  run: RunView;
  program: ProgramAnswer;
  problems: Problems["fields"];
}

export function BackFields({ run, program, problems: { to, name } }: BackFieldsProps) {
  const last = lastWayBack(run);
  const titles = new Map(program.instructions.map(({ number, title }) => [number, title]));
  return (
    <>
      <Labelled label="Instruction to begin with" problem={to}>
        <select name="to" aria-invalid={to !== undefined}>
          {Array.from({ length: last }, (_, index) => (
            <option key={index} value={index + 1} selected={index + 1 === last}>
              {index + 1} {reveal(titles.get(index + 1) ?? "")}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label="Name of the new run (optional)" problem={name}>
        <input name="name" aria-invalid={name !== undefined} placeholder={reveal(run.name)} />
      </Labelled>
    </>
  );
}
