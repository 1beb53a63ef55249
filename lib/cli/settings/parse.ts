/** Reads a command line by its command's table of flags. Pure. */
import { UserError } from "../../core/errors.ts";
import { suggestion } from "../../core/text/nearest-word.ts";
import type { CommandSpec } from "../commands.ts";
import { type Flag, HELP, REMOTE } from "./flags.ts";

export interface Arguments {
  words: string[];
  /** By the flag's name; a flag that takes nothing holds an empty text. */
  flags: ReadonlyMap<string, string>;
}

export function parseArguments(spec: CommandSpec, argv: readonly string[]): Arguments {
  const words: string[] = [];
  const flags = new Map<string, string>();
  const rest = [...argv];
  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    if (token === "--") words.push(...rest.splice(0));
    else if (isFlag(token)) takeFlag(spec, { token, rest, flags });
    else words.push(token);
  }
  if (words.length > spec.words && !flags.has(HELP.name)) throw tooManyWords(spec, words);
  return { words, flags };
}

/** A task may begin with a dash; it then holds white space. A dash alone is standard input. */
const isFlag = (token: string): boolean => /^-\S+$/.test(token.split("=", 1)[0] ?? "");

function takeFlag(spec: CommandSpec, at: { token: string; rest: string[]; flags: Map<string, string> }): void {
  const { token, rest, flags } = at;
  const [name = "", ...value] = token.split("=");
  const flag = flagNamed(spec, name);
  if (!flag.takes) {
    if (value.length > 0) throw usage(spec, `${flag.name} takes no value.`);
    flags.set(flag.name, "");
    return;
  }
  if (flag.looks) {
    flags.set(
      flag.name,
      value.length > 0 ? value.join("=") : flag.looks.test(rest[0] ?? "") ? (rest.shift() ?? "") : "",
    );
    return;
  }
  const next = value.length > 0 ? value.join("=") : takesNext(rest[0]) ? rest.shift() : undefined;
  if (next === undefined) throw usage(spec, `${flag.name} needs a value: ${flag.name} ${flag.takes}.`);
  flags.set(flag.name, next);
}

/** What begins with a dash is the next flag, unless it is a number, a text with spaces, or standard input. */
const takesNext = (token: string | undefined): boolean =>
  token !== undefined && (!isFlag(token) || /^-[\d.]/.test(token));

function flagNamed(spec: CommandSpec, name: string): Flag {
  const known = [...spec.flags, HELP];
  const found = known.find((flag) => flag.name === (name === "-h" ? HELP.name : name));
  if (found) return found;
  if (name === REMOTE.name && spec.onlyHere) throw usage(spec, `${spec.name} takes no --remote: ${spec.onlyHere}`);
  const names = known.map((flag) => flag.name);
  throw usage(spec, `${spec.name} has no flag ${name}.${suggestion(name, names)}`);
}

function tooManyWords(spec: CommandSpec, words: string[]): UserError {
  if (spec.takes.includes("task")) {
    return usage(spec, `There are ${words.length} tasks where one is expected. Put quotes around the whole task.`);
  }
  const expected = spec.words === 0 ? "takes no words" : `takes ${spec.takes}`;
  return usage(spec, `${spec.name} ${expected}; "${words[spec.words]}" is too much.`);
}

export const usage = (spec: Pick<CommandSpec, "name">, message: string): UserError =>
  new UserError(message, { exitCode: 2, remedy: { command: "help", args: [spec.name] } });
