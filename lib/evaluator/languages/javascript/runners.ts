/** Runs vitest, jest and mocha so that each of their cases counts, where a project's script is plain enough. Pure. */
import type { CheckRequest, Toolchain } from "../../language.ts";
import type { Manifest } from "./manifest.ts";
import { declaredPackages } from "./manifest.ts";
import type { ReportForm } from "./runner-report.ts";
import { declaredScript, plainWords } from "./test-plan.ts";

export interface RunnerPlan {
  runner: string;
  form: ReportForm;
  argv: string[];
  env: Record<string, string>;
}

interface PlanContext {
  request: CheckRequest;
  manifest: Manifest;
  toolchain: Toolchain;
  /** The program of a package, where it is installed. */
  installed: (name: string) => string | undefined;
  /** Where the runner is to put its report. */
  report: string;
}

/** Undefined: the script is another one, or does more than to call the runner. */
export function planRunner({ request, manifest, toolchain, installed, report }: PlanContext): RunnerPlan | undefined {
  const call = declaredScript(manifest) === undefined ? installedRunner(manifest, installed) : callIn(manifest);
  const program = call && installed(call.name);
  const runner = call && RUNNERS[call.name];
  const args = call && runner?.args(call.args);
  if (!call || !runner || !program || !args) return undefined;
  const chosen = (request.paths ?? []).filter((path) => TEST_FILE.test(path) && request.tree.files.includes(path));
  const rest = chosen.length > 0 ? runner.choosing(args, chosen) : args;
  return {
    runner: call.name,
    form: runner.form,
    argv: [toolchain.node, ...call.options, program, ...rest, ...runner.reporting(report)],
    env: call.env,
  };
}

const TEST_FILE = /(?:\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/)/;

interface Runner {
  form: ReportForm;
  /** Without what would report elsewhere or wait for changes. Undefined: it is asked for something else than tests. */
  args(words: string[]): string[] | undefined;
  reporting(path: string): string[];
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
    form: "jest",
    args: (words) => without(words, /^--(?:outputFile|json|watch|watchAll)$/, 1),
    reporting: (path) => ["--ci", "--json", `--outputFile=${path}`],
    choosing: (args, files) => [...args, "--runTestsByPath", ...files],
  },
  mocha: {
    form: "mocha",
    args: (words) => without(words, /^(?:--(?:reporter|reporter-options?|watch)|-[ROw])$/, 2),
    reporting: (path) => ["--reporter=json", `--reporter-option=output=${path}`],
    // Files are added to those of its settings: it has no way to say "only these".
    choosing: (args) => args,
  },
};

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

interface Call {
  name: string;
  args: string[];
  /** Of Node, which runs it. */
  options: string[];
  env: Record<string, string>;
}

/** `NAME=value npx runner …`, `node --option node_modules/.bin/runner …`, and nothing that a shell would have to read. */
function callIn(manifest: Manifest): Call | undefined {
  const words = plainWords(manifest);
  if (!words) return undefined;
  const env: Record<string, string> = {};
  const rest = words[0] === "cross-env" ? words.slice(1) : [...words];
  for (let pair = SETTING.exec(rest[0] ?? ""); pair; pair = SETTING.exec(rest[0] ?? "")) {
    if (!FREE_TO_SET.test(pair[1] ?? "")) return undefined;
    env[pair[1] ?? ""] = pair[2] ?? "";
    rest.shift();
  }
  const options: string[] = [];
  if (rest[0] === "npx") {
    rest.shift();
    while (rest[0]?.startsWith("-")) rest.shift();
  } else if (rest[0] === "node") {
    rest.shift();
    while (rest[0]?.startsWith("-")) options.push(rest.shift() ?? "");
    const file = /^(?:\.\/)?node_modules\/(?:\.bin\/|(?=\w+\/))(\w+)/.exec(rest[0] ?? "")?.[1];
    if (!file) return undefined;
    rest[0] = file;
  }
  const [name = "", ...args] = rest;
  return Object.hasOwn(RUNNERS, name) ? { name, args, options, env } : undefined;
}

const SETTING = /^([A-Za-z_]\w*)=(.*)$/;
/** What the sandbox set is not the project's to set. */
const FREE_TO_SET = /^(?!(?:PATH|HOME|TMPDIR|L2MAC_\w*)$)/;

/** A runner that is asked for and that no script calls. */
function installedRunner(manifest: Manifest, installed: PlanContext["installed"]): Call | undefined {
  const declared = declaredPackages(manifest);
  const name = Object.keys(RUNNERS).find((each) => Object.hasOwn(declared, each) && installed(each));
  return name ? { name, args: [], options: [], env: {} } : undefined;
}
