/** The files of a run at an instruction, or as they are now. */
import type { Run } from "../../core/run/run.ts";
import { isOfRun } from "../../core/turn/lane-turns.ts";
import type { Connection } from "../runs/connection.ts";
import type { Tree } from "./tree-diff.ts";

type Source = Pick<Connection, "output" | "turns" | "file">;

/** As instruction `at` left them; before the program is stored there are none. */
export const filesAt = async (source: Source, run: Run, at: number): Promise<Tree> =>
  run.packed < 0 ? new Map() : source.output(run, at);

/** With what the turns of an instruction changed that is not accepted yet. */
export async function filesNow(source: Source, run: Run): Promise<Tree> {
  const tree = new Map(await filesAt(source, run, run.packed));
  const open = (await source.turns(run.id)).filter((turn) => isOfRun(turn) && turn.instruction > run.packed);
  const paths = new Set(open.flatMap(({ changes }) => changes.map(({ path }) => path)));
  for (const path of paths) {
    const content = await source.file(run.id, { path });
    if (content) tree.set(path, content);
    else tree.delete(path);
  }
  return tree;
}
