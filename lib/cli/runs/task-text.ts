/** The task: from the command line, a file, or standard input. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { UserError } from "../../core/errors.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";

/** Undefined where none is given. */
export async function taskText({ words, flags }: Arguments, shell: Shell): Promise<string | undefined> {
  const [task] = words;
  const spec = flags.get("--spec");
  if (spec === undefined) return task;
  if (task !== undefined) {
    throw refused("There are two tasks: one on the command line, one in --spec.", "Give one of them.");
  }
  const bytes = spec === "-" ? await fromStandardInput(shell) : await fromFile(resolve(shell.cwd, spec));
  const text = decoded(spec, bytes);
  if (text.trim() === "") throw refused(`--spec ${spec}: the task is empty.`, "Write what is to be made into it.");
  return text;
}

async function fromStandardInput(shell: Shell): Promise<Uint8Array> {
  if (process.stdin.isTTY) shell.say("Reading the task from standard input; Ctrl-D ends it.");
  return buffer(process.stdin);
}

async function fromFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const why = error instanceof Error && "code" in error ? WORDS[String(error.code)] : undefined;
    throw refused(`--spec ${path} cannot be read: ${why ?? String(error)}.`, "Give the path of a text file, or -.");
  }
}

const WORDS: Record<string, string> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "it may not be read",
};

function decoded(spec: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refused(`--spec ${spec} is not UTF-8 text.`, "Save it as UTF-8.");
  }
}

const refused = (message: string, remedy: string): UserError => new UserError(message, { exitCode: 2, remedy });
