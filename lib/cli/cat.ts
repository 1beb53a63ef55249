/** `l2mac cat`: one file of a run, byte for byte; on a terminal without what could harm it. */

import { packedTree } from "../control/run-tree.ts";
import { UserError } from "../core/errors.ts";
import { checkPath, foldPath } from "../core/file-path.ts";
import { nearest } from "../core/likeness.ts";
import type { Run } from "../core/run.ts";
import type { LocalMachine } from "../local/open.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import type { Command } from "./commands.ts";
import { findRun, openExisting } from "./open.ts";
import { usage } from "./parse.ts";
import { plainLines } from "./plain-text.ts";
import { instructionIn } from "./tree.ts";
import { shortId } from "./words.ts";

export const cat: Command = async ({ words, flags }, shell) => {
  const path = words.at(-1);
  if (path === undefined) throw usage({ name: "cat" }, "cat needs the path of a file: l2mac cat [run] <path>.");
  const at = instructionIn(flags, "cat");
  const machine = await openExisting(shell);
  const run = await findRun(machine, words.length > 1 ? words[0] : undefined);
  const content = await contentOf(machine, run, { path, at });
  shell.out(shell.resultOnTerminal ? plainLines(new TextDecoder().decode(content)) : content);
  return 0;
};

async function contentOf(
  machine: LocalMachine,
  run: Run,
  { path, at }: { path: string; at: number | undefined },
): Promise<Uint8Array> {
  const checked = checkPath(path);
  if ("problem" in checked)
    throw new UserError(`${checked.problem}.`, { exitCode: 2, remedy: `l2mac tree ${shortId(run.id)}` });
  if (at !== undefined) {
    const files = await packedTree(machine.files, run, at);
    return files.get(checked.path) ?? missing(run, path, [...files.keys()]);
  }
  const entry = await machine.registry.file(run.id, foldPath(checked.path));
  const content = entry && (await machine.files.get(fileStoreKeys(run.id).blob(entry.sha256)));
  return (
    content ??
    missing(
      run,
      path,
      (await machine.registry.allFiles(run.id)).map((file) => file.path),
    )
  );
}

function missing(run: Run, path: string, paths: string[]): never {
  const [meant] = nearest(path, paths, 1);
  throw new UserError(`Run ${shortId(run.id)} has no file ${path}.${meant ? ` Did you mean ${meant}?` : ""}`, {
    exitCode: 2,
    remedy: `l2mac tree ${shortId(run.id)}`,
  });
}
