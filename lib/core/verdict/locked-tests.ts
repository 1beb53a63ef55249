/** Whether an instruction weakens tests that were accepted: they may be extended, never weakened. Pure. */
import { lostOrSwitchedOff, partsOf, type TestFinding } from "./locked/extended.ts";
import { ownOf } from "./locked/foreign-assignments.ts";
import { reaching } from "./locked/load-time-effects.ts";
import { isFoundByRunners, isRunnersOwn, isTestPath, isTestSetting } from "./locked/paths.ts";
import { weakenedSetting } from "./locked/settings.ts";
import type { Language } from "./locked/token.ts";

export { isTestPath, isTestSetting } from "./locked/paths.ts";

export interface Weakening {
  path: string;
  /** Of the new text, or of the old one where it is gone. */
  line?: number;
  message: string;
}

/** Texts; undefined: there is no such file. Bytes that are no text are given as they come. */
export interface TestChange {
  path: string;
  before?: string | undefined;
  after?: string | undefined;
}

export interface Locked {
  /** The paths of the tests that are locked: a setting may say where tests lie as long as it names them all. */
  tests?: readonly string[];
}

/** Of all changes of an instruction together: a test that moves as it is stays what it was. */
export function weakeningsOf(changes: readonly TestChange[], locked: Locked = {}): Weakening[] {
  const arrived = new Map<string, string[]>();
  for (const { path, before, after } of changes)
    if (before === undefined && after !== undefined && isTestPath(path))
      arrived.set(after, [...(arrived.get(after) ?? []), path]);
  return changes.flatMap((change) => {
    const places = change.before === undefined || change.after !== undefined ? [] : (arrived.get(change.before) ?? []);
    const moved = places.some((path) => isAsGood(change.path, path));
    return moved ? [] : weakenings(change, locked);
  });
}

/** Another place where a runner finds it, too. */
const isAsGood = (from: string, to: string): boolean =>
  endingOf(from) === endingOf(to) &&
  (isFoundByRunners(to) || (!isFoundByRunners(from) && nameOf(from) !== "conftest.py"));

/** Of one file by itself. */
export function weakenings(change: TestChange, locked: Locked = {}): Weakening[] {
  const { path, before, after } = change;
  if (before === after) return [];
  const found = isTooLong(change)
    ? [{ message: "it is too long to tell whether that weakens tests" }]
    : foundIn(change, locked);
  return found.slice(0, SHOWN).map((each) => ({ path, ...each }));
}

/** Of one file: who has more has other worries. */
const SHOWN = 50;
/** No test file is that long; the search takes a second for each so many. */
const CHARS = 512 * 1024;

const isTooLong = ({ path, before = "", after = "" }: TestChange): boolean =>
  (isTestPath(path) || isTestSetting(path)) && after.length + before.length > 2 * CHARS;

function foundIn(change: TestChange, locked: Locked): TestFinding[] {
  const { path, before, after } = change;
  if (isRunnersOwn(path))
    return after === undefined ? [] : [{ message: "it takes the place of the test runner, or runs before it" }];
  const settings = isTestSetting(path) ? weakenedSetting(change, locked) : [];
  if (!isTestPath(path)) return settings;
  if (before === undefined) return [...settings, ...reachingOthers(path, after ?? "")];
  if (after === undefined) return [...settings, { message: "a file of accepted tests was deleted" }];
  const language = languageOf(path);
  if (!language || isBinary(before) || isBinary(after))
    return [...settings, { message: "it was changed, and it is unknown whether that weakens its tests" }];
  return [...settings, ...lostOrSwitchedOff(before, after, language)];
}

/** What a new test file does to others. */
function reachingOthers(path: string, text: string): TestFinding[] {
  const language = languageOf(path);
  if (!language) return [];
  const found: TestFinding[] = [];
  const pending = partsOf(text, language);
  const where = { language, shared: false, inClass: false, own: ownOf(language === "python" ? pending : []) };
  for (let part = pending.pop(); part; part = pending.pop()) {
    const { line, parts = [], inner = [] } = part;
    for (const message of reaching(part, where)) found.push({ line, message });
    for (const within of [...inner, ...parts]) pending.push(within);
  }
  return found.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

const isBinary = (text: string): boolean => text.includes("\0") || text.includes("\ufffd");

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const endingOf = (path: string): string => nameOf(path).slice(nameOf(path).lastIndexOf("."));

function languageOf(path: string): Language | undefined {
  if (/\.pyi?$/.test(path)) return "python";
  if (/\.(?:[cm]?[jt]s|[jt]sx)$/.test(path)) return "javascript";
  return path.endsWith(".go") ? "go" : undefined;
}
