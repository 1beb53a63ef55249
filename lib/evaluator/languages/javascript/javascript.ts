/** JavaScript and TypeScript: parsed as Node would, checked by the project's own compiler, tested by what it declares. */
import { join } from "node:path";
import {
  type CheckRequest,
  type Language,
  noTests,
  nothingToCheck,
  type SyntaxResult,
  type TestsResult,
  type Workspace,
  withoutToolchain,
} from "../../language.ts";
import { mergeTests } from "../../report/merge-verdicts.ts";
import { type CheckerAnswer, runChecker, withWarnings } from "../../report/run-checker.ts";
import type { Tree } from "../../tree.ts";
import { nodeInstaller } from "./install-node.ts";
import { unavailablePackages } from "./manifest.ts";
import { separateTests } from "./node-tests.ts";
import { copyWritten } from "./own-packages.ts";
import { layManagers } from "./package-manager.ts";
import { type PackageContext, testPackage } from "./package-tests.ts";
import { parseCompiled } from "./parse-compiled.ts";
import { build, buildersOf, type Preparation, prepare } from "./preparation.ts";
import { type ProjectPackage, packagesIn } from "./project-packages.ts";
import { testedPackages } from "./tested-packages.ts";
import { compile, compiledProjects } from "./typescript.ts";

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/;

export const javascript: Language = {
  name: "JavaScript",
  owns: (path) => SOURCE.test(path),
  installer: nodeInstaller,
  syntax,
  tests,
  testFiles,
};

async function syntax(request: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  const { tree, paths } = request;
  if (paths && !paths.some((path) => javascript.owns(path) || path === "package.json")) return nothingToCheck;
  const script = join(workspace.scripts, "check-javascript.mjs");
  const argv = [workspace.toolchain.node, "--experimental-vm-modules", "--no-warnings", script];
  const answer = await runChecker(workspace, argv, { tree: tree.files, paths: paths ?? null });
  return "status" in answer ? answer : withWarnings(await opinionOf(answer, request, workspace), answer);
}

async function opinionOf(
  answer: CheckerAnswer,
  { tree, paths, sinceLast }: CheckRequest,
  workspace: Workspace,
): Promise<SyntaxResult> {
  if (answer.findings.length > 0) return { status: "failed", errors: answer.findings };
  // The compiler reads the whole project: what a turn costs must not grow with it.
  const projects = paths === undefined || sinceLast ? await compiledProjects(tree, workspace) : [];
  const compiled = projects.length > 0 ? await compile(projects, workspace) : undefined;
  const isCompiled = (path: string): boolean =>
    projects.some(({ below }) => below === "" || path.startsWith(`${below}/`));
  const { findings, left } = await parseCompiled(answer.unchecked, tree, workspace);
  if (findings.length > 0) return { status: "failed", errors: [...findings, ...(compiled?.errors ?? [])] };
  const unchecked = left.filter((path) => !isCompiled(path));
  if (compiled && (unchecked.length === 0 || compiled.status !== "passed")) return compiled;
  if (unchecked.length === 0) return { status: "passed", errors: [] };
  const shown = unchecked.slice(0, 5).join(", ");
  return { ...withoutToolchain(`a parser or compiler that can read ${shown}`), errors: [] };
}

async function testFiles(tree: Tree): Promise<string[] | undefined> {
  const [one, ...more] = await packagesIn(tree);
  return one && more.length === 0 ? separateTests(one) : undefined;
}

async function tests(request: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const { tree, paths = [] } = request;
  const packages = await packagesIn(tree);
  const asked = testedPackages(packages).map((one) => ({ one, chosen: paths.flatMap((path) => within(path, one)) }));
  const wanted = asked.some(({ chosen }) => chosen.length > 0)
    ? asked.filter(({ chosen }) => chosen.length > 0)
    : asked;
  if (wanted.length === 0) return noTests;
  const copy = await workspace.copy();
  const context = { workspace, copy, managers: await layManagers(workspace) };
  const prepared = await prepare(packages, tree, context);
  const found: TestsResult[] = [];
  for (const { one, chosen } of prepared.tampered ? [] : wanted) {
    const missing = unavailablePackages(tree, declarersOf(one, packages), workspace.environment);
    found.push(await testBuilt(one, { ...context, chosen, unavailablePackages: missing }, { tree, packages }));
  }
  return withProblems(prepared.tampered ? [] : found, prepared);
}

const within = (path: string, { below, files }: ProjectPackage): string[] => {
  const own = below === "" ? path : path.startsWith(`${below}/`) ? path.slice(below.length + 1) : "";
  return files.includes(own) ? [own] : [];
};

/** Itself and the packages around it. */
const declarersOf = ({ below }: ProjectPackage, packages: ProjectPackage[]) =>
  packages.filter((one) => one.below === "" || one.below === below || below.startsWith(`${one.below}/`));

/** Where something is not found that a build makes, it is built, and what is tested then counts. */
async function testBuilt(
  one: ProjectPackage,
  context: PackageContext,
  { tree, packages }: { tree: Tree; packages: ProjectPackage[] },
): Promise<TestsResult> {
  const first = await testPackage(one, context);
  const found = (await copyWritten(first, context)) ? await testPackage(one, context) : first;
  const builders = buildersOf(found, one, packages);
  if (builders.length === 0) return found;
  const built = await build(builders, tree, context);
  if (built.tampered || built.problems.length > 0) return withProblems(built.tampered ? [] : [found], built);
  return testPackage(one, context);
}

function withProblems(found: TestsResult[], { problems, tampered }: Preparation): TestsResult {
  const all = found.length > 0 ? mergeTests(found) : noTests;
  if (tampered) return { ...all, status: "crashed", reason: "tampered", detail: tampered, output: tampered };
  if (problems.length === 0 || all.status === "passed") return all;
  return { ...all, output: [...problems, all.output].join("\n") };
}
