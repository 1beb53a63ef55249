/** What a run found out on its way: its conditions by their words, and the lists of its loops, each in its order. */
import { nodeAt } from "../../core/program/language/advance.ts";
import type { Items } from "../../core/program/language/condition.ts";
import type { Program } from "../../core/program/language/schema.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { InheritedCheck } from "../../core/run/forks/stored-fork.ts";
import type { Run } from "../../core/run/run.ts";
import { recordedChecks } from "../program/recorded-checks.ts";
import { type RunStores, readProgramTree } from "../program/stored-program.ts";

export interface FoundFacts {
  check: (text: string) => InheritedCheck | undefined;
  list: (items: Items) => FoundList | undefined;
}

interface FoundList {
  items: number;
  list: string;
}

/** A program that is a list found nothing out. */
export async function foundFacts(place: RunStores, run: Run, steps: Instruction[]): Promise<FoundFacts> {
  if (!run.walk) return { check: () => undefined, list: () => undefined };
  const checks = Map.groupBy(await recordedChecks(place, run), ({ text }) => text);
  const lists = listsOf(await readProgramTree(place.files, run.id, run.walk.program), steps);
  return {
    check: (text) => takeOrLast(checks.get(text)),
    list: (items) => takeOrLast(lists.get(JSON.stringify(items))),
  };
}

/** Once all are taken, the last one goes on being so. */
function takeOrLast<Value>(values: Value[] = []): Value | undefined {
  return values.length > 1 ? values.shift() : values[0];
}

/** By what the loop says of its items. */
function listsOf(program: Program, steps: Instruction[]): Map<string, FoundList[]> {
  const lists = new Map<string, FoundList[]>();
  const seen = new Set<string>();
  for (const { frames = [] } of steps)
    for (const [depth, { list, of: items = 0, at }] of frames.entries()) {
      const place = JSON.stringify([frames.slice(0, depth), at]);
      const node = list === undefined || seen.has(place) ? undefined : nodeAt(program, frames.slice(0, depth + 1));
      if (list === undefined || node?.kind !== "for_each") continue;
      seen.add(place);
      const key = JSON.stringify(node.items);
      lists.set(key, [...(lists.get(key) ?? []), { items, list }]);
    }
  return lists;
}
