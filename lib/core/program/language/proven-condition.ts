/** Programs that ask on their way whether a requirement is proven. Pure. */
import type { Draft } from "../program.ts";
import { conditionIn, visitNodes } from "./nodes.ts";
import { readProgramData } from "./read-program.ts";

export function asksWhatIsProven({ tree, requirements }: Pick<Draft, "tree" | "requirements">): boolean {
  if (!tree) return false;
  const read = readProgramData({ data: { instructions: tree, requirements }, placeOf: () => undefined });
  if (!("program" in read)) return false;
  return [...visitNodes(read.program)].some(({ node }) => {
    const condition = conditionIn(node)?.condition;
    return condition !== undefined && "requirement" in condition;
  });
}
