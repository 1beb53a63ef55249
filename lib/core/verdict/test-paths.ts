/** Which files are tests, which belong to tests, and which decide what tests run: by their paths alone. Pure. */
import { SOURCE_LANGUAGES } from "../text/source-languages.ts";

/** Tests, and what lies beside them for their use. */
export const isTestPath = (path: string): boolean =>
  hasTestName(nameOf(path)) ||
  nameOf(path) === "conftest.py" ||
  foldersOf(path).some((folder) => TEST_FOLDERS.has(folder));

/** A file that runners find by themselves, where they look. */
export const isFoundByRunners = (path: string): boolean =>
  (hasTestName(nameOf(path)) || (foldersOf(path).includes("test") && isTestInFolder(nameOf(path)))) &&
  !foldersOf(path).some((folder) => folder.startsWith(".") || OVERLOOKED.has(folder)) &&
  !SOURCE_LANGUAGES.some(({ overlooked }) => overlooked?.test(path));

export function isTestSetting(path: string): boolean {
  const name = nameOf(path);
  return MAKEFILE.test(name) || SOURCE_LANGUAGES.some(({ settings }) => settings?.test(name)) || isRunnersOwn(path);
}

/** What a runner would load in place of itself, or before it. A tree has no need for such a file. */
export const isRunnersOwn = (path: string): boolean => SOURCE_LANGUAGES.some(({ shadowing }) => shadowing?.test(path));

const hasTestName = (name: string): boolean =>
  NAMES.test(name) || SOURCE_LANGUAGES.some(({ tests }) => tests?.test(name));

const isTestInFolder = (name: string): boolean =>
  SOURCE_LANGUAGES.some(({ testsInFolder }) => testsInFolder?.test(name));

/** Of no language in the table. */
const NAMES = /\.feature$|_(?:test|spec)\.cr$|(?:Tests?|TestCase|Spec|IT)\.(?:groovy|fs|vb|m)$/;
const MAKEFILE = /^(?:GNUm|m|M)akefile$/;

const TEST_FOLDERS = new Set(["test", "tests", "__tests__", "spec", "specs", "testdata", "__snapshots__"]);
/** pytest and Node do not look into these. */
const OVERLOOKED = new Set([
  "build",
  "dist",
  "node_modules",
  "venv",
  "CVS",
  "_darcs",
  "{arch}",
  "__pycache__",
  "testdata",
]);

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const foldersOf = (path: string): string[] => path.split("/").slice(0, -1);
