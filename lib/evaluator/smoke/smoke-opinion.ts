/** What it says of a delivered program how its start ended. Whatever is uncertain is neither passed nor failed. Pure. */
import { headAndTail } from "../../core/text/cut.ts";
import type { SmokeVerdict } from "../../core/verdict/verdict.ts";
import type { CommandResult } from "../process/run-command.ts";

export type Judgement = Pick<SmokeVerdict, "status" | "reason" | "detail"> & {
  /** It stumbled over the arguments that it was given, or that it was not given. */
  wantsArguments?: true;
};

export interface ProjectFacts {
  /** The files of the tree. */
  files: string[];
  /** Packages that the project declares and that could not be had. */
  missing: string[];
}

/** Who runs on until then is a server, or a game: it has started. npm and Go have their own work to do before. */
export const startMsOf = (program = ""): number => (program === "npm" || program === "go" ? 30_000 : 10_000);

export function opinionOf(result: CommandResult, known: ProjectFacts): Judgement {
  const text = `${result.stdout}\n${result.stderr}`.trim();
  if (result.status === "timed_out") return stillRan(text);
  if (result.status === "not_found") return { status: "not_run", reason: "no_toolchain", detail: result.stderr };
  if (result.status === "crashed") return { status: "crashed", detail: `it was ended by ${result.signal}` };
  if (result.exitCode === 0) return { status: "passed" };
  return lacking(text, known) ?? ended(text, result.exitCode);
}

/** npm and Go speak before the program does. */
const stillRan = (text: string): Judgement =>
  text.replace(/^(?:> .*|go: .*|npm (?:warn|notice)\b.*)$/gim, "").trim() === ""
    ? { status: "not_run", reason: "it said nothing until it was stopped" }
    : { status: "passed", detail: "it still ran when it was stopped" };

/** It started, and then wanted what an empty, sealed place does not have. */
function lacking(text: string, { files, missing }: ProjectFacts): Judgement | undefined {
  const name = MISSING.exec(text)?.[1];
  if (name && isNotHad(name, missing))
    return { status: "not_run", reason: "package_missing", detail: `package ${name} is not available here` };
  if (wantsCompiler(text, files)) return { status: "not_run", reason: "nothing_to_check" };
  return NO_FAULT.find(([pattern]) => pattern.test(text))?.[1];
}

const MISSING = /(?:No module named '|Cannot find (?:module|package) ')((?:@[\w.-]+\/)?[\w-]+)/;

/** What the project declares and could not be had. What it does not declare is missing on the user's computer too. */
const isNotHad = (name: string, missing: string[]): boolean =>
  missing.some((what) => what.toLowerCase().replaceAll("_", "-").startsWith(name.toLowerCase().replaceAll("_", "-")));

/** TypeScript that Node does not start as it is: the project does not say how to compile it. */
function wantsCompiler(text: string, files: string[]): boolean {
  if (/ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX|Unknown file extension "\.tsx"/.test(text)) return true;
  const [, stem] =
    /Cannot find module '([^']*\/[^']*?)(?:\.[cm]?jsx?)?' imported from [^\n]*\.[cm]?tsx?\b/.exec(text) ?? [];
  const sources = files.filter((path) => /\.[cm]?tsx?$/.test(path));
  return stem !== undefined && sources.some((path) => stem.endsWith(`/${path.replace(/(?:\/index)?\.\w+$/, "")}`));
}

const NO_FAULT: [RegExp, Judgement][] = [
  [/^EOFError: EOF when reading a line\s*$/m, { status: "passed", detail: "it waited for input" }],
  [
    /^ReferenceError: (?:document|window|navigator|location|localStorage|sessionStorage|customElements|HTMLElement|alert) is not defined/m,
    { status: "not_run", reason: "it runs in a browser" },
  ],
  [
    /ECONNREFUSED|ENETUNREACH|EAI_AGAIN|ENOTFOUND|Connection refused|Name or service not known|Temporary failure in name resolution|Network is unreachable/,
    { status: "not_run", reason: "it needs the network" },
  ],
  [
    /no display name|cannot open display|DISPLAY environment variable/i,
    { status: "not_run", reason: "it needs a display" },
  ],
];

/** An uncaught error decides before any words of the output, which may be the error's own. */
function ended(text: string, exitCode: number | null): Judgement {
  const failed: Judgement = { status: "failed", detail: `it ended with ${exitCode}` };
  if (text === "") return failed;
  if (UNCAUGHT.test(text)) return stumbled(text) ? { ...failed, wantsArguments: true } : failed;
  if (USAGE.test(text)) return { status: "passed", detail: "it said how it is used" };
  if (NOT_THERE.test(text)) return /--help\b/.test(text) ? { ...failed, wantsArguments: true } : failed;
  // It ran far enough to say in its own words what it lacks: that is no crash, and no proof either.
  const [first = ""] = text.split("\n");
  return { status: "not_run", reason: `it ended with ${exitCode}`, detail: headAndTail(first, 200) };
}

/** What interpreters print for an uncaught error. */
const UNCAUGHT =
  /^Traceback \(most recent call last\)|^[ \t]+at .*:\d+|^panic: |^fatal error: |^(?:Uncaught )?(?:\w*Error|Error)\b.*\n[ \t]+at |^(?:Syntax|Type|Reference|Range)Error\b/m;
/** On a line of its own, perhaps after the program's name. */
const USAGE = /^[ \t]*(?:[\w./-]+:[ \t]*)?usage:/im;
/** What shells say of a program that is not there. */
const NOT_THERE = /command not found|No such file or directory|can't open file/;

/** The error is about `--help`, or about an argument that is not there. */
function stumbled(text: string): boolean {
  const error = text.split("\n").findLast((line) => /^(?:[\w.]*Error|Error)\b/.test(line)) ?? "";
  if (/--help\b/.test(error)) return true;
  return /\bargv\b/.test(text) && /^IndexError|^ValueError: not enough values|ERR_INVALID_ARG_TYPE/.test(error);
}
