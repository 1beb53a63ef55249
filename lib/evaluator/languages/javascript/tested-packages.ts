/** Which packages of a tree are tested by themselves: all that declare a test, and no test twice. Pure. */
import { isTestFile } from "./node-tests.ts";
import type { ProjectPackage } from "./project-packages.ts";
import { runnerCall } from "./runners.ts";
import { testSteps, testsWorkspaces } from "./scripts.ts";

export function testedPackages(packages: ProjectPackage[]): ProjectPackage[] {
  const declaring = packages.filter(({ manifest }) => testSteps(manifest).length > 0);
  const delegating = declaring.filter((one) => testsMembers(one, packages));
  const left = declaring.filter((one) => !delegating.includes(one) && !isCovered(one, declaring));
  const bare = packages.filter(
    (one) => !declaring.includes(one) && one.files.some(looksTested) && !declaring.some((outer) => holds(outer, one)),
  );
  return [...left, ...bare];
}

/** With or without a script: a test of any runner. */
const looksTested = (path: string): boolean => isTestFile(path) || TEST_FILE.test(path);
export const TEST_FILE = /(?:\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$)/;

const holds = (outer: ProjectPackage, inner: ProjectPackage): boolean =>
  outer !== inner && (outer.below === "" || inner.below.startsWith(`${outer.below}/`));

const membersOf = (one: ProjectPackage, packages: ProjectPackage[]): ProjectPackage[] =>
  packages.filter(({ workspace }) => workspace === one.below);

/** Its script only calls those of its workspace. npm takes a member without one for a mistake, without a flag that allows it. */
function testsMembers(one: ProjectPackage, packages: ProjectPackage[]): boolean {
  const steps = testSteps(one.manifest);
  const members = membersOf(one, packages);
  if (steps.length !== 1 || members.length === 0 || !testsWorkspaces(steps)) return false;
  const all = members.every(({ manifest }) => manifest.scripts.test?.trim());
  return all || !/^npm /.test(steps[0] ?? "") || (steps[0] ?? "").includes("--if-present");
}

/** The runner of its workspace finds its tests too. */
function isCovered(one: ProjectPackage, declaring: ProjectPackage[]): boolean {
  const outer = declaring.find(({ below }) => below === one.workspace);
  const own = runnersOf(one);
  return outer !== undefined && own.length > 0 && own.every((name) => runnersOf(outer).includes(name));
}

/** Of calls without arguments that choose among the tests. */
const runnersOf = ({ manifest }: ProjectPackage): string[] =>
  testSteps(manifest).flatMap((step) => {
    const call = runnerCall(step);
    const words = (call?.args ?? []).filter(
      (word) => !/^(?:run|--test|--run|--coverage|--passWithNoTests)$/.test(word),
    );
    return call && words.length === 0 && (call.name !== "node" || call.args.includes("--test")) ? [call.name] : [];
  });
