/** Parses a command line by the flags of its command. Pure. */
import { UserError } from "../../core/errors.ts";
import { removedOptions } from "../../core/run/option-forms.ts";
import { suggestion } from "../../core/text/nearest-word.ts";
import type { Arguments, CommandSpec, Flag } from "../command.ts";
import { HELP, REMOTE } from "./flags.ts";

/** The command's flags include those of its options. */
export function parseArguments(spec: CommandSpec, argv: readonly string[]): Arguments {
  const words: string[] = [];
  const flags = new Map<string, string>();
  const renamed: Flag[] = [];
  const rest = [...argv];
  let after: string[] | undefined;
  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    if (token === "--" && spec.takesRest) after = rest.splice(0);
    else if (token === "--") words.push(...rest.splice(0));
    else if (isFlag(token)) {
      const { flag, value } = readFlag(spec, token, rest);
      flags.set(flag.name, value);
      if (token.split("=")[0] === flag.formerly) renamed.push(flag);
    } else words.push(token);
  }
  if (words.length > spec.maxPositional && !flags.has(HELP.name)) throw tooManyWords(spec, words);
  return { words, flags, renamed, ...(after ? { rest: after } : {}) };
}

/** A task may begin with a dash; it then holds white space. A dash alone is standard input. */
const isFlag = (token: string): boolean => /^-\S+$/.test(token.split("=", 1)[0] ?? "");

/** Takes the flag's value from the token or from the words after it. */
function readFlag(spec: CommandSpec, token: string, rest: string[]): { flag: Flag; value: string } {
  const [name = "", ...parts] = token.split("=");
  const inToken = parts.length > 0 ? parts.join("=") : undefined;
  const flag = flagNamed(spec, name);
  if (!flag.argument) {
    if (inToken !== undefined) throw usage(spec, `${flag.name} takes no value.`);
    return { flag, value: "" };
  }
  if (flag.pattern) return { flag, value: inToken ?? (flag.pattern.test(rest[0] ?? "") ? (rest.shift() ?? "") : "") };
  const value = inToken ?? (takesNext(rest[0]) ? rest.shift() : undefined);
  if (value === undefined) throw usage(spec, `${flag.name} needs a value: ${flag.name} ${flag.argument}.`);
  return { flag, value };
}

/** What begins with a dash is the next flag, unless it is a number, a text with spaces, or standard input. */
const takesNext = (token: string | undefined): boolean =>
  token !== undefined && (!isFlag(token) || /^-[\d.]/.test(token));

function flagNamed(spec: CommandSpec, name: string): Flag {
  const known = [...spec.flags, HELP];
  const long = name === "-h" ? HELP.name : name;
  const found = known.find((flag) => flag.name === long || flag.formerly === long);
  if (found) return found;
  if (name === REMOTE.name && spec.onlyHere) throw usage(spec, `${spec.name} takes no --remote: ${spec.onlyHere}`);
  const removed = REMOVED[name] ?? REMOVED[`${spec.name} ${name}`];
  if (removed) throw usage(spec, `The flag ${name} was removed: ${removed}`);
  const names = known.map((flag) => flag.name);
  throw usage(spec, `${spec.name} has no flag ${name}.${suggestion(name, names)}`);
}

/** Flags that earlier versions had: of every command, or of the one before it. */
const REMOVED: Record<string, string> = {
  "--no-memo": `${removedOptions.memo}. Leave it out.`,
  "deploy --program": "the state machine of a stack executes every program. Leave it out.",
};

function tooManyWords(spec: CommandSpec, words: string[]): UserError {
  if (spec.argument.includes("task")) {
    return usage(spec, `There are ${words.length} tasks where one is expected. Put quotes around the whole task.`);
  }
  const expected = spec.maxPositional === 0 ? "no arguments" : spec.argument;
  return usage(spec, `${spec.name} takes ${expected} (got "${words[spec.maxPositional]}").`);
}

export const usage = (spec: Pick<CommandSpec, "name">, message: string): UserError =>
  new UserError(message, { exitCode: 2, remedy: { command: "help", args: [spec.name] } });
