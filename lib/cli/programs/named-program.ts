/** `l2mac program`: programs that others call by name, in the folder of this computer or in a deployed stack. */
import { resolve } from "node:path";
import type { ShownProgram } from "../../client/named-programs.ts";
import { UserError } from "../../core/errors.ts";
import { isProgramName } from "../../core/program/language/calls/label.ts";
import { readProgramData } from "../../core/program/language/read-program.ts";
import type { Program } from "../../core/program/language/schema.ts";
import { programIn } from "../../core/program/program-text.ts";
import { size } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { readProgramFile, writeProgram } from "../../files/program-file.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { writeNewFile } from "../display/write-new-file.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { remoteAddress } from "../runs/remote-address.ts";
import { PLAN_OUT, REPLACE } from "../settings/command-flags.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { madeHome } from "../settings/own-home.ts";
import { usage } from "../settings/parse.ts";

interface Asked {
  name: string;
  file?: string | undefined;
  flags: Arguments["flags"];
  shell: Shell;
}

/** By how many words follow. */
const WORDS: Record<string, number> = { put: 2, list: 0, get: 1, remove: 1 };

export const namedProgram: Command = async (given, shell) => {
  const [action = "", name = "", file] = given.words;
  if (WORDS[action] !== given.words.length - 1) throw wrongWords(action);
  for (const flag of [REPLACE, PLAN_OUT])
    if (given.flags.has(flag.name) && action !== USED_WITH[flag.name])
      throw usage(SPEC, `${flag.name} is for program ${USED_WITH[flag.name]}.`);
  if (action !== "list" && !isProgramName(name)) {
    throw usage(SPEC, `"${name}" is no name: it takes letters, digits, - _ and ., and no ending such as .md.`);
  }
  // A program is put into the home of this computer, which may not be there yet.
  if (action === "put" && !(await remoteAddress(given.flags, shell))) madeHome(shell);
  const connection = await connect(given, shell);
  try {
    await ACTIONS[action]?.(connection, { name, file, flags: given.flags, shell });
  } finally {
    connection.close();
  }
  return 0;
};

const SPEC = { name: "program" };
const USED_WITH: Record<string, string> = { [REPLACE.name]: "put", [PLAN_OUT.name]: "get" };

const wrongWords = (action: string): UserError =>
  usage(
    SPEC,
    action in WORDS
      ? `program ${action} takes ${["nothing more", "a name", "a name and a file"][WORDS[action] ?? 0]}.`
      : "program takes put NAME FILE, list, get NAME or remove NAME.",
  );

const ACTIONS: Record<string, (connection: Connection, asked: Asked) => Promise<void>> = { put, list, get, remove };

async function put(connection: Connection, { name, file = "", flags, shell }: Asked): Promise<void> {
  // Files that it calls become part of it; names stay names.
  const { draft } = readProgramFile(resolve(shell.cwd, file), [], { namesElsewhere: true });
  const replaces = flags.has(REPLACE.name) ? (await connection.namedProgram(name))?.sha256 : undefined;
  const { isNew, ...stored } = await connection.putNamedProgram({ name, program: programIn(draft), replaces });
  if (flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify({ ...stored, isNew })}\n`);
  else shell.say(`${name} is ${size(stored.bytes)}, sha256:${stored.sha256.slice(0, HASH_DIGITS)}.`);
  const call = `{.call program=${name}}`;
  if (isNew && !flags.has(JSON_OUTPUT.name)) shell.say(`Programs call it as ${call}.`);
}

async function list(connection: Connection, { flags, shell }: Asked): Promise<void> {
  const programs = await connection.namedPrograms();
  if (flags.has(JSON_OUTPUT.name)) {
    shell.out(`${JSON.stringify(programs)}\n`);
    return;
  }
  if (programs.length === 0) shell.say("There are no named programs.");
  const width = Math.max(...programs.map(({ name }) => name.length), 0);
  for (const { name, sha256, bytes, at } of programs) {
    const words = [name.padEnd(width), sha256.slice(0, HASH_DIGITS), at.slice(0, 10), size(bytes)];
    shell.out(`${sanitizeLine(words.join("  "))}\n`);
  }
}

const HASH_DIGITS = 12;

async function get(connection: Connection, { name, flags, shell }: Asked): Promise<void> {
  const found = await connection.namedProgram(name);
  if (!found) throw noneOf(name, connection);
  const out = flags.get(PLAN_OUT.name);
  if (out !== undefined) await writeNewFile(shell, out, writeProgram(out, dataIn(found)));
  if (flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify(found)}\n`);
  else if (out === undefined) shell.out(writeProgram("program.md", dataIn(found)));
}

function dataIn({ name, program }: ShownProgram): Program {
  const read = readProgramData({ data: program, placeOf: () => undefined });
  if ("program" in read) return read.program;
  throw new UserError(`The program ${name} is of another version of l2mac: ${read.findings[0]?.message}`, {
    exitCode: 3,
    remedy: "--json shows it as it is.",
  });
}

async function remove(connection: Connection, { name, shell }: Asked): Promise<void> {
  if (!(await connection.namedPrograms()).some((each) => each.name === name)) throw noneOf(name, connection);
  await connection.removeNamedProgram(name);
  shell.say(`${name} is removed. Runs that called it keep it.`);
}

const noneOf = (name: string, { where, remoteFlag }: Connection): UserError =>
  new UserError(`There is no program ${name} ${where}.`, {
    exitCode: 2,
    remedy: { command: "program", args: ["list", ...remoteFlag], note: "shows what there is" },
  });
