/** Node's own test runner, and scripts that are a test by themselves: which files, and the command that reports each case. Pure. */
import { join } from "node:path";
import { asPattern } from "../../process/as-argument.ts";
import type { ProjectPackage } from "./project-packages.ts";
import { type RunnerCall, runnerCall } from "./runners.ts";
import { testSteps } from "./scripts.ts";

/** A command that reads a key from its standard input, and seals what it reports. */
export interface NodePlan {
  runner: string;
  /** What follows `node`. */
  argv: string[];
  env: Record<string, string>;
  /** One script, which is a test without a test runner. */
  alone: boolean;
}

/** As Node's own test runner finds them, and `.spec` files. */
export const isTestFile = (path: string): boolean =>
  /(?:^|\/)(?:test|test-[^/]+|[^/]+[.\-_]test|[^/]+\.spec)\.[cm]?[jt]s$/.test(path) ||
  (/(?:^|\/)test\//.test(path) && /[^/]\.[cm]?[jt]s$/.test(path) && !/\.d\.[cm]?ts$/.test(path));

/** The call of a script that does nothing but to run Node's test runner. */
const onlyCall = ({ manifest }: ProjectPackage): RunnerCall | undefined => {
  const [step, ...more] = testSteps(manifest);
  const call = step !== undefined && more.length === 0 ? runnerCall(step) : undefined;
  return call?.name === "node" && call.args.includes("--test") ? call : undefined;
};

/** The test files, where Node's test runner runs them without further options. Undefined: they cannot be run alone. */
export function separateTests(one: ProjectPackage): string[] | undefined {
  if (testSteps(one.manifest).length === 0) return one.files.filter(isTestFile);
  const call = onlyCall(one);
  const options = (call?.args ?? []).filter((argument) => argument !== "--test");
  const isPattern = (option: string): boolean => isTestFile(option.replace(/^\.\//, "").replaceAll("*", "x"));
  return call && options.every(isPattern) && Object.keys(call.env).length === 0
    ? one.files.filter(isTestFile)
    : undefined;
}

/** The files that were asked for, where they can be run without the others. */
export function planChosen(one: ProjectPackage, chosen: string[], scripts: string): NodePlan | undefined {
  if (chosen.length === 0 || (testSteps(one.manifest).length > 0 && !onlyCall(one))) return undefined;
  return plan({ args: ["--test", ...chosen.map(asPattern)], env: {} }, scripts);
}

/** Without a script, the files that look like tests are those. */
export const planFiles = (files: string[], scripts: string): NodePlan =>
  plan({ args: ["--test", ...files.map(asPattern)], env: {} }, scripts);

/** Undefined: it reports elsewhere, or is more than one script by itself. */
export function planNode(call: RunnerCall, scripts: string): NodePlan | undefined {
  const reports = call.args.some((word) => /^--test-reporter/.test(word));
  if (call.name !== "node" || reports || Object.hasOwn(call.env, "NODE_OPTIONS")) return undefined;
  const isTest = call.args.includes("--test");
  return isTest || (call.args.length > 0 && !call.args.some((word) => word.startsWith("-")))
    ? plan(call, scripts)
    : undefined;
}

/** Required and not imported: an import would have Node load everything else as modules are loaded. */
function plan({ args, env }: Pick<RunnerCall, "args" | "env">, scripts: string): NodePlan {
  const alone = !args.includes("--test");
  const reporting = [
    `--require=${join(scripts, "node-guard.mjs")}`,
    ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
    ...[`--test-reporter=${join(scripts, "node-report.mjs")}`, "--test-reporter-destination=stdout"],
  ];
  return {
    runner: alone ? `node ${args.join(" ")}` : "node --test",
    argv: [...reporting, ...args],
    env: { ...env, L2MAC_SEALED: "0" },
    alone,
  };
}
