/** Decides how a JavaScript project's tests are run. Pure. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { headAndTail } from "../../../core/text/cut.ts";
import type { CheckRequest, Toolchain } from "../../language.ts";
import { asPattern } from "../../process/as-argument.ts";
import type { CommandResult } from "../../process/run-command.ts";
import type { Report } from "../../report/read-report.ts";
import type { Tree } from "../../tree.ts";
import type { Manifest } from "./manifest.ts";

export type TestPlan =
  | { none: true }
  | { missing: string }
  | {
      runner: string;
      argv: string[];
      env: Record<string, string>;
      /** It reads a key from its standard input, and seals what it reports. */
      sealed?: true;
      /** The one case of a runner that need not write a report. Absent: it always writes one. */
      byExitCode?: (result: CommandResult) => Report["cases"][number];
    };

interface PlanContext {
  request: CheckRequest;
  manifest: Manifest;
  toolchain: Toolchain;
  scripts: string;
}

export function planTests(context: PlanContext): TestPlan {
  const { request, manifest, toolchain } = context;
  const files = request.tree.files.filter(isTestFile);
  const chosen = (request.paths ?? []).filter((path) => files.includes(path));
  if (chosen.length > 0 && usesNodeRunner(manifest)) return direct(context, ["--test", ...chosen.map(asPattern)]);
  const script = declaredScript(manifest);
  if (script === undefined)
    return files.length > 0 ? direct(context, ["--test", ...files.map(asPattern)]) : { none: true };
  const plain = plainNodeArguments(manifest);
  if (plain) return direct(context, plain);
  return toolchain.npm ? throughNpm(context, toolchain.npm, script) : { missing: `npm, which "${script}" needs,` };
}

/** What `npm init` writes, or says nothing about tests, is no test script. */
export function declaredScript({ scripts }: Manifest): string | undefined {
  const script = scripts.test?.trim();
  if (!script || script.includes("no test specified")) return undefined;
  return /^(?:echo\b[^&|;]*|true|:|exit \d+)$/.test(script) ? undefined : script;
}

const usesNodeRunner = (manifest: Manifest): boolean => {
  const script = declaredScript(manifest);
  return script === undefined || (plainNodeArguments(manifest)?.includes("--test") ?? false);
};

/** The test files, where Node's test runner runs them without further options. Undefined: they cannot be run alone. */
export function separateTests({ files }: Tree, manifest: Manifest): string[] | undefined {
  if (!usesNodeRunner(manifest)) return undefined;
  const options = (plainNodeArguments(manifest) ?? []).filter((argument) => argument !== "--test");
  const isPattern = (option: string): boolean => isTestFile(option.replace(/^\.\//, "").replaceAll("*", "x"));
  return declaredScript(manifest) === undefined || options.every(isPattern) ? files.filter(isTestFile) : undefined;
}

/** As Node's own test runner finds them, and `.spec` files. */
const isTestFile = (path: string): boolean =>
  /(?:^|\/)(?:test|test-[^/]+|[^/]+[.\-_]test|[^/]+\.spec)\.[cm]?[jt]s$/.test(path) ||
  (/(?:^|\/)test\/(?:.*\/)?[^/]+\.[cm]?[jt]s$/.test(path) && !/\.d\.[cm]?ts$/.test(path));

/** The arguments of a script that is `node …` and nothing that a shell would have to read. */
function plainNodeArguments(manifest: Manifest): string[] | undefined {
  const words = plainWords(manifest);
  if (words?.[0] !== "node") return undefined;
  return words.some((word) => /^--test-reporter(?:=|$)/.test(word)) ? undefined : words.slice(1);
}

/** The words of a script that needs no shell. */
export function plainWords(manifest: Manifest): string[] | undefined {
  const script = declaredScript(manifest) ?? "";
  const words = script.split(/\s+/).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
  const hooks = manifest.scripts.pretest ?? manifest.scripts.posttest;
  return hooks !== undefined || /[|&;<>$`\\(){}#~"']/.test(words.join(" ")) ? undefined : words;
}

function direct({ toolchain, scripts }: PlanContext, args: string[]): TestPlan {
  const alone = args.includes("--test") ? "" : "?alone";
  return {
    runner: args.includes("--test") ? "node --test" : `node ${args.join(" ")}`,
    argv: [toolchain.node, ...reporting(scripts, alone), ...args],
    env: { L2MAC_SEALED: "0" },
    sealed: true,
  };
}

/**
 * Cases if the script runs Node's test runner, else one case by exit code. There is a shell between us and the runner:
 * a key for it could be read by the script. A script that lies need only end with 0.
 */
function throughNpm({ toolchain, scripts }: PlanContext, npm: string, script: string): TestPlan {
  const options = script.includes("--test-reporter") ? [] : reporting(scripts, "");
  return {
    runner: "npm test",
    argv: [toolchain.node, npm, "test", "--loglevel=error"],
    env: {
      NODE_OPTIONS: options.map((option) => JSON.stringify(option)).join(" "),
      npm_config_update_notifier: "false",
      npm_config_offline: "true",
    },
    byExitCode: caseOf,
  };
}

const reporting = (scripts: string, guard: string): string[] => [
  `--import=${pathToFileURL(join(scripts, "node-guard.mjs")).href}${guard}`,
  ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
  ...[`--test-reporter=${join(scripts, "node-report.mjs")}`, "--test-reporter-destination=stdout"],
];

function caseOf(result: CommandResult): Report["cases"][number] {
  if (result.status === "exited" && result.exitCode === 0) return { name: "npm test", status: "passed" };
  const message = headAndTail(`${result.stdout}\n${result.stderr}`.trim(), 2_000);
  const missing = missingProgram(result.stderr);
  return { name: "npm test", status: "failed", message, ...(missing ? { missing } : {}) };
}

/** Programs are called as their packages, mostly. A shell does not find them, or npx may not fetch them. */
const missingProgram = (text: string): string | undefined =>
  /(?:^|\s)([\w@/.-]+): (?:command )?not found$/m.exec(text)?.[1] ??
  /ENOTCACHED.*?\/((?:@[\w.-]+%2f)?[\w.-]+) failed/is.exec(text)?.[1]?.replace(/%2f/i, "/");
