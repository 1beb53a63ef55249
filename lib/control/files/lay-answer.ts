/** Lays a person's answer into the run's files, as far as its place allows. Nothing is committed. */
import type { Run } from "../../core/run/run.ts";
import { checkPath } from "../../core/text/file-path.ts";
import { readTask } from "../program/stored-task.ts";
import type { World } from "../world.ts";
import { createTree, type Tree } from "./tree.ts";

export interface AnswerFile {
  path: string;
  content: Uint8Array;
}

/** `problem`: why there can be no such file, in a sentence. */
export async function layAnswer(
  { registry, files }: Pick<World, "registry" | "files">,
  run: Run,
  { path, content }: AnswerFile,
): Promise<{ tree: Tree } | { problem: string }> {
  // What an item of a loop made of the path was not checked before.
  const checked = checkPath(path);
  if ("problem" in checked) return checked;
  const { tests = [] } = await readTask(files, run.id);
  const tree = createTree({ registry, files, run, instruction: run.pc, turns: [], given: tests });
  const problem = await tree.work.write(checked.path, content);
  return problem === undefined ? { tree } : { problem };
}
