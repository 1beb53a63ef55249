/** The checks of the examiner, as an instruction's prompt names them. Pure. */
import type { Instruction } from "../../core/program/program.ts";

export interface ExaminedRequirement {
  requirement: string;
  tests: readonly string[];
}

/** Those of the requirements that the instruction serves, parts of them included. */
export function examinedLines(
  examined: readonly ExaminedRequirement[],
  instruction: Instruction | undefined,
): string[] {
  if (examined.length === 0 || !instruction) return [];
  const isServed = ({ requirement }: ExaminedRequirement): boolean =>
    instruction.requirements.some((id) => requirement === id || requirement.startsWith(`${id}.`));
  const own = examined.filter(isServed);
  return [
    "",
    OF_EXAMINER,
    ...own.map(({ requirement, tests }) => `${requirement}: ${tests.join(", ")}`),
    ...(own.length < examined.length ? [`and those of ${examined.length - own.length} other requirements`] : []),
  ];
}

const OF_EXAMINER =
  "An examiner wrote checks of the requirements, without any code; they are locked. They fail until the code is there. Read those of this instruction's requirements first: they decide whether it is done.";
