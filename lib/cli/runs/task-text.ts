/** The task: from the command line, a file, or standard input. */
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Remedy, UserError } from "../../core/errors.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";

/** Undefined where none is given. */
export async function taskText({ words, flags }: Arguments, shell: Shell): Promise<string | undefined> {
  const [task] = words;
  const spec = flags.get("--spec");
  if (spec === undefined) {
    if (task !== undefined) refuseFile(task, shell);
    return task;
  }
  if (task !== undefined) {
    throw refused("There are two tasks: one on the command line, one in --spec.", "Give one of them.");
  }
  const text = await textOf({ flag: "--spec", path: spec, what: "task" }, shell);
  if (text.trim() === "") throw refused(`--spec ${spec}: the task is empty.`, "Write what is to be made into it.");
  return text;
}

export function refuseEmptyTask({ words: [task] }: Arguments): void {
  if (task?.trim() === "") throw refused("The task is empty.", { command: "run", args: ["<task>"] });
}

/** Its path alone would be sent to the model, and paid for. */
function refuseFile(task: string, { cwd }: Shell): void {
  const path = task.replace(/^@/, "");
  if (/\s/.test(path) || path === "" || !isFile(resolve(cwd, path))) return;
  throw refused(`"${task}" is a file, and no task. Nothing was sent.`, `To read the task from it: --spec ${path}`);
}

/** What cannot be a path, being too long for one, is none. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

interface TextFile {
  flag: string;
  /** `-`: standard input. */
  path: string;
  what: string;
}

export async function textOf(file: TextFile, shell: Shell): Promise<string> {
  const isPiped = file.path === "-";
  return decoded(file, isPiped ? await fromStandardInput(shell, file) : await fromFile(file, shell));
}

async function fromStandardInput(shell: Shell, { what }: TextFile): Promise<Uint8Array> {
  if (process.stdin.isTTY) shell.say(`Reading the ${what} from standard input; Ctrl-D ends it.`);
  return buffer(process.stdin);
}

async function fromFile({ flag, path: given }: TextFile, { cwd }: Shell): Promise<Uint8Array> {
  const path = resolve(cwd, given);
  try {
    return await readFile(path);
  } catch (error) {
    const why = error instanceof Error && "code" in error ? WORDS[String(error.code)] : undefined;
    throw refused(`${flag} ${path} cannot be read: ${why ?? String(error)}.`, "Give the path of a text file, or -.");
  }
}

const WORDS: Record<string, string> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "it may not be read",
};

function decoded({ flag, path }: TextFile, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refused(`${flag} ${path} is not UTF-8 text.`, "Save it as UTF-8.");
  }
}

const refused = (message: string, remedy: string | Remedy): UserError =>
  new UserError(message, { exitCode: 2, remedy });
