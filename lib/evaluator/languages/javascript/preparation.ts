/** Makes what tests need before they run: the project's own `prepare` and `build` scripts, in the copy, without network. */
import { headAndTail } from "../../../core/text/cut.ts";
import { firstChanged } from "../../changed-files.ts";
import type { TestsResult } from "../../language.ts";
import type { Tree } from "../../tree.ts";
import { isTestFile } from "./node-tests.ts";
import { scriptEnvironment } from "./package-manager.ts";
import type { PackageContext } from "./package-tests.ts";
import type { ProjectPackage } from "./project-packages.ts";
import { testSteps } from "./scripts.ts";
import { TEST_FILE } from "./tested-packages.ts";

type Context = Pick<PackageContext, "workspace" | "copy" | "managers">;

export interface Preparation {
  /** What did not end well, in words. */
  problems: string[];
  /** Undefined: nothing that decides about tests was touched. */
  tampered?: string;
}

const LIMIT_MS = 120_000;
/** It only sets up a Git repository. */
const HOOKS =
  /^(?:is-ci\b.*|git config .*|(?:(?:npx )?(?:husky(?: install)?(?: [\w./-]+)?|lefthook install|simple-git-hooks)|node \.husky\/[\w.-]+)(?:\s*\|\|\s*(?:true|exit 0|echo .*))?)$/;

/** As npm does after it has installed: the packages of a workspace first. */
export async function prepare(packages: ProjectPackage[], tree: Tree, context: Context): Promise<Preparation> {
  const wanted = packages.filter(({ manifest }) => {
    const script = manifest.scripts.prepare?.trim() ?? "";
    return script !== "" && !script.split("&&").every((part) => HOOKS.test(part.trim()));
  });
  const problems: string[] = [];
  for (const one of wanted.toReversed()) problems.push(...(await runScript("prepare", one, context)));
  const tampered = wanted.length > 0 ? tamperedIn(tree, context, "prepare") : undefined;
  return { problems, ...(tampered ? { tampered } : {}) };
}

/** The packages whose build could bring what a failed test run did not find. */
export function buildersOf(found: TestsResult, one: ProjectPackage, packages: ProjectPackage[]): ProjectPackage[] {
  const lacks = found.status === "not_found" || (found.status === "failed" && ABSENT.test(found.output));
  if (!lacks) return [];
  const outer = packages.filter(({ below }) => below === one.workspace);
  return [...outer, one].filter(
    ({ manifest }) =>
      manifest.scripts.build?.trim() &&
      ![...testSteps(one.manifest), manifest.scripts.prepare ?? ""].some((step) => /\bbuild\b/.test(step)),
  );
}

const ABSENT =
  /Cannot find module|MODULE_NOT_FOUND|ENOENT|[Nn]o such file|Failed to (?:resolve|load)|Could not (?:find|resolve)|Can't resolve|No test files? found|No tests found|TS2307/;

export async function build(packages: ProjectPackage[], tree: Tree, context: Context): Promise<Preparation> {
  const problems: string[] = [];
  for (const one of packages) problems.push(...(await runScript("build", one, context)));
  const tampered = tamperedIn(tree, context, "build");
  return { problems, ...(tampered ? { tampered } : {}) };
}

async function runScript(name: string, one: ProjectPackage, { workspace, copy, managers }: Context): Promise<string[]> {
  const { npm, node } = workspace.toolchain;
  if (!npm) return [];
  const result = await copy.run({
    below: one.below,
    argv: [node, npm, "run", name, "--loglevel=error"],
    env: scriptEnvironment(one, { folder: copy.folder, managers, workspace }),
    timeoutMs: LIMIT_MS,
  });
  if (result.status === "exited" && result.exitCode === 0) return [];
  const how = result.status === "timed_out" ? "did not end in time" : `ended with ${result.exitCode ?? result.signal}`;
  const said = headAndTail(`${result.stdout.trim()}\n${result.stderr.trim()}`.trim(), 1_000);
  return [`npm run ${name}${one.below === "" ? "" : ` in ${one.below}`} ${how}: ${said}`];
}

/** No script of the project's may put another test in a test's place before it runs. */
function tamperedIn({ folder, files }: Tree, { copy }: Context, script: string): string | undefined {
  const tests = files.filter((path) => isTestFile(path) || TEST_FILE.test(path));
  const changed = firstChanged(tests, folder, copy.folder);
  return changed === undefined ? undefined : `${changed} was changed by the script ${script} before it ran`;
}
