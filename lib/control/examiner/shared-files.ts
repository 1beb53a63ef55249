/** What the examiner writes beside its tests: helpers and data that they share. */
import { holdsTests } from "../../core/verdict/given-tests.ts";
import { isFoundByRunners, isTestPath } from "../../core/verdict/test-paths.ts";
import type { StepState } from "../turn/step-state.ts";

type WorkTree = Pick<StepState["tree"]["work"], "read">;

const decoder = new TextDecoder();

/** A runner looks for tests there, and the file is named as one, or has some. */
async function isTest(work: WorkTree, path: string): Promise<boolean> {
  if (!isFoundByRunners(path)) return false;
  return isTestPath(path.slice(path.lastIndexOf("/") + 1)) || holdsTests(path, decoder.decode(await work.read(path)));
}

export async function testsOf(work: WorkTree, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => ((await isTest(work, path)) ? [path] : [])));
  return found.flat();
}

export async function sharedOf(work: WorkTree, paths: readonly string[]): Promise<string[]> {
  const besides = paths.filter(isTestPath);
  const tests = new Set(await testsOf(work, besides));
  return besides.filter((path) => !tests.has(path));
}
