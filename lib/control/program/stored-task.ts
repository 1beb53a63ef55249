/** The task as it is stored: what every instruction reads is small, so a program given by the user lies beside it. */
import type { FileStore } from "../../core/ports.ts";
import type { Draft } from "../../core/program/program.ts";
import type { StoredTask, TaskDocument } from "../../core/run/task.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { TASK } from "../turn/body-kinds.ts";
import { bodyOf, readBody } from "../turn/journal.ts";
import { putReplacement, replacementOf } from "./stored-program.ts";

export async function putTask(
  files: FileStore,
  runId: string,
  { program, forks, ...task }: TaskDocument,
): Promise<void> {
  const given = program ? { given: await putReplacement(files, runId, program) } : {};
  const put = async (draft: Draft | undefined) => (draft ? { program: await putReplacement(files, runId, draft) } : {});
  const stored: StoredTask = {
    ...task,
    ...given,
    ...(forks
      ? {
          forks: await Promise.all(
            forks.map(async ({ program: before, ...fork }) => ({ ...fork, ...(await put(before)) })),
          ),
        }
      : {}),
  };
  await files.put(fileStoreKeys(runId).task, bodyOf(TASK, stored).bytes);
}

export const readTask = (files: FileStore, runId: string): Promise<StoredTask> =>
  readBody(files, { key: fileStoreKeys(runId).task }, TASK);

/** All of it, as it was given. */
export async function readTaskDocument(files: FileStore, runId: string): Promise<TaskDocument> {
  const { given, forks, ...task } = await readTask(files, runId);
  const read = async (version: string | undefined) =>
    version === undefined ? {} : { program: await replacementOf(files, runId, version) };
  return {
    ...task,
    ...(await read(given)),
    ...(forks
      ? { forks: await Promise.all(forks.map(async ({ program, ...fork }) => ({ ...fork, ...(await read(program)) }))) }
      : {}),
  };
}
