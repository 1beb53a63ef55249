/** Requirements of a changed task and those of the run: the same text is the same requirement, whatever its id is now. Pure. */
import type { Draft, DraftInstruction, Requirement, TreeNode } from "../../core/program/program.ts";

export interface MatchedRequirements {
  /** Those of the new task, then those that the model added. */
  requirements: Requirement[];
  /** Which of them an instruction serves that served this one. Undefined: none. */
  idNow(id: string): string | undefined;
}

/** `ofTask`: ids of those that the task of the run has. Others were added by the model and stay. */
export function matchRequirements(
  before: Requirement[],
  listed: Requirement[],
  ofTask: ReadonlySet<string>,
): MatchedRequirements {
  const now = new Map<string, string>();
  const free = new Map(listed.map((each) => [each.id, each]));
  for (const { id, text } of before) {
    const same = free.get(id)?.text === text ? free.get(id) : [...free.values()].find((each) => each.text === text);
    if (same) take(id, same.id);
  }
  // What is left under its id has another text now.
  for (const { id } of before) if (!now.has(id) && ofTask.has(id) && free.has(id)) take(id, id);
  const used = new Set(listed.map(({ id }) => id));
  const added = before.flatMap((each) => (now.has(each.id) || ofTask.has(each.id) ? [] : [withFreeId(each)]));
  return { requirements: [...listed, ...added], idNow: (id) => now.get(id) };

  function take(id: string, to: string): void {
    now.set(id, to);
    free.delete(to);
  }

  function withFreeId(each: Requirement): Requirement {
    let { id } = each;
    for (let number = 1; used.has(id); number += 1) id = `R${number}`;
    used.add(id);
    now.set(each.id, id);
    return { ...each, id };
  }
}

/** The instructions, blocks included, with the ids of the new task. */
export function withIds(
  { instructions, tree }: Draft,
  idNow: MatchedRequirements["idNow"],
): Omit<Draft, "requirements"> {
  const idsNow = (ids: string[]): string[] => ids.flatMap((id) => idNow(id) ?? []);
  const renamed = (each: DraftInstruction): DraftInstruction => ({ ...each, requirements: idsNow(each.requirements) });
  return { instructions: instructions.map(renamed), ...(tree ? { tree: tree.map(renameIn) } : {}) };

  function renameIn(node: TreeNode): TreeNode {
    const fields = Object.entries(node).map(([field, value]) => {
      if (field === "requirements") return [field, idsNow(value as string[])];
      return [field, LISTS.includes(field) ? (value as TreeNode[]).map(renameIn) : value];
    });
    return Object.fromEntries(fields) as TreeNode;
  }
}

/** Of instructions inside another one. */
const LISTS = ["body", "then", "else"];
