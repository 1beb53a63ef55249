/** Moves files in the overlay of a turn: all of them or none. */
import { foldPath } from "../../core/text/file-path.ts";
import type { Move } from "../../core/turn/workbench.ts";
import { type Layers, lay, readFile, standingAt } from "./layers.ts";
import { isGiven, problemWith, turnIsFull } from "./tree-rules.ts";

/** All leave their places before any arrives, so files can change places. Answers what is wrong, or undefined. */
export async function moveFiles(layers: Layers, moves: Move[]): Promise<string | undefined> {
  const before = new Map(layers.overlay);
  const problem = await moveAll(layers, moves);
  if (problem !== undefined) layers.overlay = before;
  return problem;
}

async function moveAll(layers: Layers, moves: Move[]): Promise<string | undefined> {
  const moved: { to: string; content: Uint8Array }[] = [];
  for (const { from, to } of moves) {
    const content = await readFile(layers, from);
    if (!content) return `There is no file ${from}.`;
    moved.push({ to, content });
  }
  for (const { from } of moves) {
    const problem = isGiven(layers, from) ?? turnIsFull(layers, foldPath(from));
    if (problem !== undefined) return problem;
    await lay(layers, from, null);
  }
  for (const { to, content } of moved) {
    const standing = await standingAt(layers, foldPath(to));
    if (standing) return `${standing.path} exists, and a move replaces no file: delete it first, or take another name.`;
    const problem = await problemWith(layers, to, content);
    if (problem !== undefined) return problem;
    await lay(layers, to, content);
  }
  return undefined;
}
