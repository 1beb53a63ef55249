/** Runs Node's test runner, vitest, jest and mocha so that each of their cases counts, where a command is plain enough. Pure. */
import { join } from "node:path";
import type { ReportForm } from "./runner-report.ts";
import { plainWords } from "./scripts.ts";

/** A call of a runner as it is written: its words, and the settings that stand before it. */
export interface RunnerCall {
  name: string;
  args: string[];
  /** Of Node, which runs it. */
  options: string[];
  env: Record<string, string>;
}

/** `NAME=value npx runner …`, `node --option node_modules/.bin/runner …`, and nothing that a shell would have to read. */
export function runnerCall(command: string): RunnerCall | undefined {
  const words = plainWords(command);
  if (!words) return undefined;
  const env: Record<string, string> = {};
  const rest = words[0] === "cross-env" ? words.slice(1) : [...words];
  for (let pair = SETTING.exec(rest[0] ?? ""); pair; pair = SETTING.exec(rest[0] ?? "")) {
    if (!FREE_TO_SET.test(pair[1] ?? "")) return undefined;
    env[pair[1] ?? ""] = pair[2] ?? "";
    rest.shift();
  }
  const options: string[] = [];
  withoutManager(rest);
  if (rest[0] === "node") {
    const file = rest.findIndex((word, at) => at > 0 && !word.startsWith("-"));
    const runner = /^(?:\.\/)?node_modules\/(?:\.bin\/|(?=\w+\/))(\w+)/.exec(rest[file] ?? "")?.[1];
    if (!runner) return { name: "node", args: rest.slice(1), options, env };
    options.push(...rest.slice(1, file));
    rest.splice(0, file + 1, runner);
  }
  const [name = "", ...args] = rest;
  return Object.hasOwn(RUNNERS, name) ? { name, args, options, env } : undefined;
}

/** Drops what only looks the program up: `npx`, `pnpm exec`, `yarn`. */
function withoutManager(words: string[]): void {
  const [manager = "", verb = ""] = words;
  if (manager === "npx" || manager === "bunx") words.shift();
  else if (manager === "npm" && /^(?:exec|x)$/.test(verb)) words.splice(0, 2);
  else if (/^(?:pnpm|yarn)$/.test(manager)) words.splice(0, /^(?:exec|run)$/.test(verb) ? 2 : 1);
  else return;
  while (words[0] && /^(?:--|-y|--yes|--no(?:-install)?)$/.test(words[0])) words.shift();
}

const SETTING = /^([A-Za-z_]\w*)=(.*)$/;
/** What the sandbox set is not the project's to set. */
const FREE_TO_SET = /^(?!(?:PATH|HOME|TMPDIR|L2MAC_\w*)$)/;

export interface RunnerPlan {
  runner: string;
  form: ReportForm;
  /** What follows `node` in its command, but for what it reports with. */
  argv: string[];
  /** Has the runner put its report there. `scripts`: the folder of reporters. */
  reporting(path: string, scripts: string): string[];
  env: Record<string, string>;
}

interface PlanContext {
  /** The folder of our own programs. */
  scripts: string;
  /** The program of a package, where it is installed. */
  installed: (name: string) => string | undefined;
  /** The test files that were asked for; empty: all. */
  chosen: string[];
}

/** Undefined: it is Node itself, is not installed, or is asked for something else than tests. */
export function planRunner(call: RunnerCall, { scripts, installed, chosen }: PlanContext): RunnerPlan | undefined {
  const program = installed(call.name);
  const runner = RUNNERS[call.name];
  const args = runner?.args(call.args);
  if (!runner || !program || !args) return undefined;
  const rest = chosen.length > 0 ? runner.choosing(args, chosen) : args;
  return {
    runner: call.name,
    form: runner.form,
    argv: [...call.options, ...(runner.starter ? [join(scripts, runner.starter)] : []), program, ...rest],
    reporting: runner.reporting,
    env: call.env,
  };
}

interface Runner {
  /** Of our own programs, the one that starts it. */
  starter?: string;
  form: ReportForm;
  /** Without what would report elsewhere or wait for changes. Undefined: it is asked for something else than tests. */
  args(words: string[]): string[] | undefined;
  reporting(path: string, scripts: string): string[];
  choosing(args: string[], files: string[]): string[];
}

const RUNNERS: Record<string, Runner> = {
  vitest: {
    form: "jest",
    args(words) {
      const [first, ...rest] = words;
      if (first && /^(?:bench|list|typecheck|init|related)$/.test(first)) return undefined;
      const kept = first && /^(?:run|watch|dev)$/.test(first) ? rest : words;
      return ["run", ...without(kept, /^(?:--(?:reporter|outputFile)(?:\.\w+)?|--ui|--open|--watch|-w|--run)$/, 1)];
    },
    reporting: (path) => ["--reporter=default", "--reporter=json", `--outputFile.json=${path}`],
    choosing: (args, files) => [...args, ...files],
  },
  jest: {
    starter: "jest-run.cjs",
    form: "jest",
    args: (words) => without(words, /^--(?:outputFile|json|watch|watchAll)$/, 1),
    reporting: (path) => ["--ci", "--json", `--outputFile=${path}`],
    choosing: (args, files) => [...args, "--runTestsByPath", ...files],
  },
  mocha: {
    form: "mocha",
    args: (words) => without(words, /^(?:--(?:reporter|reporter-options?|watch)|-[ROw])$/, 2),
    // Its own reporter of JSON writes to a file since 9.2 only.
    reporting: (path, scripts) => [`--reporter=${join(scripts, "mocha-report.cjs")}`, "-O", `output=${path}`],
    // Files are added to those of its settings: it has no way to say "only these".
    choosing: (args) => args,
  },
};

/** Those that may be installed without a script that calls them. */
export const RUNNER_NAMES = Object.keys(RUNNERS);

/** Options that take a value in a word of its own. */
const VALUED = [/^--(?:reporter|outputFile)(?:\.\w+)?$/, /^(?:--reporter|--reporter-options?|-[RO])$/];

function without(words: string[], dropped: RegExp, valued: 1 | 2): string[] {
  const kept: string[] = [];
  let skip = false;
  for (const word of words) {
    const [name = ""] = word.split("=");
    if (skip) skip = false;
    else if (!dropped.test(name)) kept.push(word);
    else skip = !word.includes("=") && (VALUED[valued - 1]?.test(name) ?? false);
  }
  return kept;
}
