/** The requirements of which a program asks on its way whether they are proven. Pure. */
import type { Draft } from "../program.ts";
import { conditionIn, visitNodes } from "./nodes.ts";
import { readProgramData } from "./read-program.ts";

export function askedWhetherProven({ tree, requirements }: Pick<Draft, "tree" | "requirements">): string[] {
  if (!tree) return [];
  const read = readProgramData({ data: { instructions: tree, requirements }, placeOf: () => undefined });
  if (!("program" in read)) return [];
  return [...visitNodes(read.program)].flatMap(({ node }) => {
    const condition = conditionIn(node)?.condition;
    return condition !== undefined && "requirement" in condition ? [condition.requirement] : [];
  });
}
