/** What an instruction did to accepted tests that shows without running them: files deleted, settings changed. Pure. */
import { isFoundByRunners, isRunnersOwn, isTestPath, isTestSetting } from "./test-paths.ts";
import { testSettingsIn } from "./test-settings.ts";

export interface Weakening {
  path: string;
  message: string;
}

/** Texts; undefined: there is no such file. */
export interface TestChange {
  path: string;
  before?: string | undefined;
  after?: string | undefined;
}

/** Of all changes of an instruction together: a test that moves as it is stays what it was. */
export function weakeningsOf(changes: readonly TestChange[]): Weakening[] {
  const arrived = new Map<string, string[]>();
  for (const { path, before, after } of changes)
    if (before === undefined && after !== undefined && isTestPath(path))
      arrived.set(after, [...(arrived.get(after) ?? []), path]);
  return changes.flatMap((change) => {
    const places = change.before === undefined || change.after !== undefined ? [] : (arrived.get(change.before) ?? []);
    return places.some((path) => isAsGood(change.path, path)) ? [] : weakenings(change);
  });
}

/** Another place where a runner finds it, too. */
const isAsGood = (from: string, to: string): boolean =>
  endingOf(from) === endingOf(to) &&
  (isFoundByRunners(to) || (!isFoundByRunners(from) && nameOf(from) !== "conftest.py"));

function weakenings({ path, before, after }: TestChange): Weakening[] {
  if (before === after) return [];
  if (isRunnersOwn(path))
    return after === undefined ? [] : [{ path, message: "takes the place of the test runner, or runs before it" }];
  if (before !== undefined && after === undefined && isTestPath(path))
    return [{ path, message: "a file of accepted tests was deleted" }];
  if (!isTestSetting(path)) return [];
  const [old, now] = [before, after].map((text) => testSettingsIn(path, text ?? "")) as [string, string];
  // Settings where there were none are judged by how many tests run; hooks can change results, too.
  if (old === now || (old === "" && nameOf(path) !== "conftest.py")) return [];
  return [{ path, message: now === "" ? "settings of the tests were taken away" : CHANGED }];
}

const CHANGED = "settings that decide which tests run, or what their results are, were changed";

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const endingOf = (path: string): string => nameOf(path).slice(nameOf(path).lastIndexOf("."));
