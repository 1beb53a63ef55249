/** `l2mac cat`: one file of a run, byte for byte; on a terminal without what could harm it. */
import { UserError } from "../../core/errors.ts";
import type { Run } from "../../core/run/run.ts";
import { checkPath } from "../../core/text/file-path.ts";
import { shortId } from "../../core/text/format.ts";
import { nearest } from "../../core/text/likeness.ts";
import { sanitize } from "../../core/text/sanitize.ts";
import { isOfRun } from "../../core/turn/lane-turns.ts";
import type { Command } from "../command.ts";
import { whenThere } from "../display/when-there.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { findRun, refuseNotAccepted } from "../runs/find-run.ts";
import { usage } from "../settings/parse.ts";
import { instructionIn } from "./tree.ts";

export const cat: Command = async (given, shell) => {
  const { words, flags } = given;
  const path = words.at(-1);
  if (path === undefined) throw usage({ name: "cat" }, "cat needs the path of a file: cat [run] <path>.");
  const at = instructionIn(flags, "cat");
  const connection = await connect(given, shell);
  const run = await findRun(connection, words.length > 1 ? words[0] : undefined);
  refuseNotAccepted(run, at, connection);
  const content = await contentOf(connection, run, { path, at });
  shell.out(shell.resultOnTerminal ? sanitize(new TextDecoder().decode(content)) : content);
  return 0;
};

interface FileAddress {
  path: string;
  at: number | undefined;
}

/** Throws where the run has no such file, with the name that is meant perhaps. */
export async function contentOf(connection: Connection, run: Run, { path, at }: FileAddress): Promise<Uint8Array> {
  const checked = checkPath(path);
  const remedy = { command: "tree", args: [shortId(run.id), ...connection.remoteFlag] };
  if ("problem" in checked) throw new UserError(`${checked.problem}.`, { exitCode: 2, remedy });
  const content = await connection.file(run.id, { path: checked.path, at });
  if (content) return content;
  const known =
    (await elsewhen(connection, run, { path: checked.path, at })) ?? (await similar(connection, run, { path, at }));
  throw new UserError(`Run ${shortId(run.id)} has no file ${path}${known}`, { exitCode: 2, remedy });
}

const elsewhen = async (connection: Connection, run: Run, { path, at }: FileAddress): Promise<string | undefined> =>
  at === undefined
    ? undefined
    : whenThere((await connection.turns(run.id)).filter(isOfRun), { path, at, packed: run.packed });

async function similar(connection: Connection, run: Run, { path, at }: FileAddress): Promise<string> {
  const paths = (await connection.files(run.id, at)).map((file) => file.path);
  const [meant] = nearest(path, paths, 1);
  return meant ? `. Did you mean ${meant}?` : ".";
}
