/** What is next in a program: from where it is and one fact about that place. The one function that walks programs. Pure. */
import { callLabel } from "./calls/label.ts";
import type { Condition, Items } from "./condition.ts";
import type { Frames } from "./frames.ts";
import { listsIn } from "./nodes.ts";
import type { Program, ProgramNode } from "./schema.ts";

/** What was found out about the instruction at which the program is. Absent: nothing yet. */
export type Fact = { done: true } | { holds: boolean } | { items: number; list?: string };

export type Next = { frames: Frames } & (
  | { next: "step"; node: ProgramNode; repairs?: true }
  | { next: "find_out"; condition: Condition }
  | { next: "count"; items: Items }
  | { next: "ask"; node: Extract<ProgramNode, { kind: "ask" }> }
  | { next: "stop"; why: "check_failed" | "not_reached" | "too_many_items" | "not_linked" }
  | { next: "end" }
);

export const START: Frames = [{ at: 0 }];

export function advance(program: Program, frames: Frames, fact?: Fact): Next {
  let next = look(program, frames, fact);
  while (!("next" in next)) next = look(program, next.goTo);
  return next;
}

/** One look at one instruction: what is next there, or where to look. */
function look(program: Program, frames: Frames, fact?: Fact): Next | { goTo: Frames } {
  const outer = frames.slice(0, -1);
  const here = frames.at(-1) ?? { at: 0 };
  const node = listAt(program, frames)[here.at];
  const isDone = fact !== undefined && "done" in fact;
  const holds = fact && "holds" in fact ? fact.holds : undefined;
  const goOn = { goTo: [...outer, { at: here.at + 1 }] };
  const enter = (round: number, of = {}) => ({ goTo: [...outer, { at: here.at, round, ...of }, { at: 0 }] });
  const stop = (why: Extract<Next, { next: "stop" }>["why"]): Next => ({ next: "stop", why, frames });
  if (!node) return outer.length > 0 ? leave(program, outer) : { next: "end", frames };
  switch (node.kind) {
    case "do":
      return isDone ? goOn : { next: "step", node, frames };
    case "ask":
      return isDone ? goOn : { next: "ask", node, frames };
    case "group":
      return enter(1);
    case "call":
      return node.body ? enter(1, { call: callLabel(node.program) }) : stop("not_linked");
    case "if":
      if (holds === undefined) return { next: "find_out", condition: node.condition, frames };
      return holds ? enter(1) : node.else ? enter(2) : goOn;
    case "for_each": {
      const count = Array.isArray(node.items) ? node.items.length : fact && "items" in fact ? fact.items : undefined;
      if (count === undefined) return { next: "count", items: node.items, frames };
      if (count > node.atMost) return stop("too_many_items");
      const list = fact && "items" in fact && fact.list !== undefined ? { list: fact.list } : {};
      return count > 0 ? enter(1, { of: count, ...list }) : goOn;
    }
    case "repeat":
      // Its condition is looked at after each round, not before the first.
      if (here.round === undefined) return enter(1);
      if (holds === undefined) return { next: "find_out", condition: node.until, frames };
      if (holds) return goOn;
      if (here.round < node.atMost) return enter(here.round + 1);
      return node.otherwise === "continue" ? goOn : stop("not_reached");
    case "assert": {
      const checked = isDone ? [...outer, { at: here.at, round: 1 }] : frames;
      if (holds === undefined) return { next: "find_out", condition: node.check, frames: checked };
      if (holds) return goOn;
      if (node.otherwise === "stop" || here.round === 1) return stop("check_failed");
      return { next: "step", node, repairs: true, frames };
    }
  }
}

/** The end of a list: the block's next round, or what comes after the block. */
function leave(program: Program, frames: Frames): { goTo: Frames } {
  const outer = frames.slice(0, -1);
  const here = frames.at(-1) ?? { at: 0 };
  const { at, round = 1, of = 1 } = here;
  const node = listAt(program, frames)[at];
  if (node?.kind === "repeat") return { goTo: frames };
  if (node?.kind === "for_each" && round < of) return { goTo: [...outer, { ...here, round: round + 1 }, { at: 0 }] };
  return { goTo: [...outer, { at: at + 1 }] };
}

/** Undefined: past the end of its list. */
export const nodeAt = (program: Program, frames: Frames): ProgramNode | undefined =>
  listAt(program, frames)[frames.at(-1)?.at ?? 0];

/** The list that the innermost frame is in. */
function listAt(program: Program, frames: Frames): ProgramNode[] {
  let list = program.instructions;
  for (const { at, round = 1 } of frames.slice(0, -1)) {
    const node = list[at];
    const lists = node ? listsIn(node) : [];
    list = lists[node?.kind === "if" ? round - 1 : 0]?.[1] ?? [];
  }
  return list;
}
