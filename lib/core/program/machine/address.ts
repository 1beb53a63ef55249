/** By what a compiled state machine recognises an instruction: its place, and what it says. Pure. */

import type { Frames } from "../language/frames.ts";
import { listsIn } from "../language/nodes.ts";
import type { Program, ProgramNode } from "../language/schema.ts";

export type Sha256 = (text: string) => string;

/** What an instruction says, without what is inside it and around it. */
type Saying = { title: string; text: string } | { question: string } | { check: unknown };

/** `3.then.1 5f2b90c1`: an instruction of a program with blocks. Of a block: its place alone. */
export const addressOf = (node: ProgramNode, place: string, sha256: Sha256): string => {
  const saying = sayingOf(node);
  return saying ? `${place} ${shortHash(saying, sha256)}` : place;
};

/** `-2 5f2b90c1`: the last but one of a list. Counted from its end, because a split in front of it changes nothing there. */
export const addressInList = ({ title, text }: { title: string; text: string }, left: number, sha256: Sha256): string =>
  `-${left + 1} ${shortHash({ title, text }, sha256)}`;

/** The instruction at these frames, in any round of its loops. Before it `isStep`, facts about it are found out first. */
export function addressAt(
  program: Program,
  frames: Frames,
  { sha256, isStep }: { sha256: Sha256; isStep: boolean },
): string {
  let nodes: ProgramNode[] = program.instructions;
  let prefix = "";
  for (const { at, round = 1 } of frames.slice(0, -1)) {
    const node = nodes[at];
    const list = node && placedLists(node, `${prefix}${at + 1}`)[node.kind === "if" ? round - 1 : 0];
    if (!list) return "";
    ({ prefix, nodes } = list);
  }
  const { at } = frames.at(-1) ?? { at: 0 };
  const node = nodes[at];
  const place = `${prefix}${at + 1}`;
  if (!node) return "";
  return isStep || node.kind === "do" ? addressOf(node, place, sha256) : place;
}

export interface PlacedList {
  /** What the places in it begin with. */
  prefix: string;
  nodes: ProgramNode[];
}

/** The lists inside an instruction: `3.then.` and `3.else.` of an `if`, `3.` of every other block. */
export const placedLists = (node: ProgramNode, place: string): PlacedList[] =>
  listsIn(node).map(([path, nodes]) => ({
    prefix: node.kind === "if" ? `${place}.${path[0]}.` : `${place}.`,
    nodes,
  }));

function sayingOf(node: ProgramNode): Saying | undefined {
  switch (node.kind) {
    case "do":
      return { title: node.title, text: node.text };
    case "ask":
      return { question: node.question };
    case "assert":
      return node.otherwise === "repair" ? { check: node.check } : undefined;
    default:
      return undefined;
  }
}

/** Long enough to tell the programs of one stack apart at one place. */
const HASH_CHARS = 8;

const shortHash = (saying: Saying, sha256: Sha256): string => sha256(JSON.stringify(saying)).slice(0, HASH_CHARS);
