/** Stores what a fork begins with, before it is there; the rest is copied by its first epoch. */
import type { Run } from "../../core/run/run.ts";
import { pickUpEntries } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { readRequired, readVerified } from "../files/verified-read.ts";
import { putReplacement } from "../program/stored-program.ts";
import { FORK } from "../turn/body-kinds.ts";
import { bodyOf } from "../turn/journal.ts";
import type { World } from "../world.ts";
import type { ForkStart } from "./submission-of-fork.ts";

/** Answers what of the new run's record is not that of any new run. */
export async function storeFork(
  { files }: Pick<World, "files">,
  runId: string,
  { origin, program, stored, run, at }: ForkStart & { at: string },
): Promise<Partial<Run>> {
  const [from, to] = [fileStoreKeys(origin.id), fileStoreKeys(runId)];
  const pack = await readRequired(files, from.pack(0));
  const count = readVerified(from.pack(0), () => pickUpEntries(pack)).size;
  await files.putOnce(to.pack(0), pack);
  const outline = await files.get(from.outline);
  if (outline) await files.putOnce(to.outline, outline);
  const version = await putReplacement(files, runId, program);
  await files.put(to.fork, bodyOf(FORK, { ...stored, program: version }).bytes);
  return {
    ...run,
    packed: 0,
    files: count,
    outputFiles: count,
    packedBytes: pack.length,
    inheriting: 0,
    ...(count > 0 ? { toLoad: count } : {}),
    ...(origin.git ? { git: unpushed(origin.git) } : {}),
    forkedFrom: { run: origin.id, at },
  };
}

/** What the other run pushed is its own, and pushing this one was not asked for. */
function unpushed(git: NonNullable<Run["git"]>): NonNullable<Run["git"]> {
  const { push: _push, pushed: _pushed, ...start } = git;
  return start;
}
