/** JavaScript and TypeScript: parsed as Node would, checked by the project's own compiler, tested by what it declares. */
import { join } from "node:path";
import {
  type Asked,
  type Kind,
  noTests,
  nothingToCheck,
  type Place,
  type SyntaxFound,
  type TestsFound,
  withoutToolchain,
} from "../kind.ts";
import { readReport } from "../read-report.ts";
import { runChecker } from "../run-checker.ts";
import { testOutcome } from "../test-outcome.ts";
import { couldNotBeHad, readManifest } from "./javascript-manifest.ts";
import { planTests } from "./javascript-tests.ts";
import { compile, hasCompiler } from "./typescript.ts";

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/;

export const javascript: Kind = { name: "JavaScript", owns: (path) => SOURCE.test(path), syntax, tests };

async function syntax({ tree, paths }: Asked, place: Place): Promise<SyntaxFound> {
  if (paths && !paths.some((path) => javascript.owns(path) || path === "package.json")) return nothingToCheck;
  const script = join(place.scripts, "check-javascript.mjs");
  const argv = [place.toolchain.node, "--experimental-vm-modules", "--no-warnings", script];
  const answer = await runChecker(place, argv, { tree: tree.files, paths: paths ?? null });
  if ("status" in answer) return answer;
  if (answer.findings.length > 0) return { status: "failed", errors: answer.findings };
  // The compiler reads the whole project: what a turn costs must not grow with it.
  if (paths === undefined && hasCompiler(tree, place)) return compile(place);
  if (answer.unchecked.length === 0) return { status: "passed", errors: [] };
  const shown = answer.unchecked.slice(0, 5).join(", ");
  return { ...withoutToolchain(`a compiler for ${shown}`), errors: [] };
}

async function tests(asked: Asked, place: Place): Promise<TestsFound> {
  const { tree } = asked;
  const manifest = await readManifest(tree);
  const plan = planTests({ asked, manifest, toolchain: place.toolchain, scripts: place.scripts });
  if ("missing" in plan)
    return { ...noTests, ...withoutToolchain(plan.missing), output: withoutToolchain(plan.missing).detail };
  if ("none" in plan) return noTests;
  const copy = await place.copy();
  const path = copy.newReport();
  const result = await copy.run({ argv: plan.argv, env: { ...plan.env, L2MAC_REPORT: path } });
  const report = await readReport(path);
  const silent = report.end === undefined && report.cases.length === 0 && report.running.length === 0;
  return testOutcome({
    runner: plan.runner,
    result,
    report: silent && plan.byExitCode ? { ...report, cases: [plan.byExitCode(result)] } : report,
    reports: !silent || plan.byExitCode === undefined,
    couldNotBeHad: couldNotBeHad(tree, manifest, place.environment),
  });
}
