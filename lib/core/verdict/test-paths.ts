/** Which files are tests, which belong to tests, and which decide what tests run: by their paths alone. Pure. */

/** Tests, and what lies beside them for their use. */
export const isTestPath = (path: string): boolean =>
  hasTestName(nameOf(path)) ||
  nameOf(path) === "conftest.py" ||
  foldersOf(path).some((folder) => TEST_FOLDERS.has(folder));

/** A file that runners find by themselves, where they look. */
export const isFoundByRunners = (path: string): boolean =>
  (hasTestName(nameOf(path)) || (isScript(path) && foldersOf(path).includes("test"))) &&
  !foldersOf(path).some((folder) => folder.startsWith(".") || OVERLOOKED.has(folder)) &&
  !/_(?:aix|android|darwin|freebsd|illumos|ios|js|netbsd|openbsd|plan9|solaris|wasip1|windows|wasm|386|arm|mips)_test\.go$/.test(
    path,
  );

export function isTestSetting(path: string): boolean {
  const name = nameOf(path);
  return SETTINGS.has(name) || SETTING_NAMES.test(name) || isRunnersOwn(path);
}

/** What a runner would load in place of itself, or before it. A tree has no need for such a file. */
export const isRunnersOwn = (path: string): boolean =>
  /^(?:site|user)customize\.pyc?$|\.pth$/.test(nameOf(path)) ||
  SHADOWING.test(path) ||
  foldersOf(path).includes("node_modules");

/** JavaScript and TypeScript, as Node's test runner finds them and as others do. */
const isScript = (path: string): boolean => /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path) && !/\.d\.[cm]?ts$/.test(path);

const hasTestName = (name: string): boolean => NAMES.some((pattern) => pattern.test(name));

const NAMES = [
  /^(?:test_.*|.*_test|tests?)\.pyi?$/,
  /^(?:test|test-.+|.+[.\-_]test|.+[.\-_]spec)\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/,
  /_test\.(?:go|rb|exs?|dart|cc|cpp|c|lua|clj|cr|php|sh)$/,
  /^test_.*\.(?:rb|sh|bats|c|cc|cpp|lua|jl|r)$/,
  /_spec\.(?:rb|lua|cr)$|\.(?:bats|feature)$|\.t$/,
  /(?:Tests?|TestCase|Spec|IT)\.(?:java|kt|kts|scala|groovy|swift|cs|fs|vb|php|m|hs)$/,
  /^Test[A-Z].*\.(?:java|kt|swift)$/,
];

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

const SETTINGS = new Set([
  ...["conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "setup.cfg"],
  ...["pyproject.toml", "package.json", ".npmrc", "Makefile", "makefile", "GNUmakefile", "Cargo.toml"],
]);
const SETTING_NAMES = /^(?:(?:vitest|jest|vite|ava|karma)\.(?:config|workspace)\..+|\.mocharc(?:\..+)?|\.taprc)$/;
/** Modules at the places where Python looks first. */
const SHADOWING = /^(?:src\/)?(?:_?pytest|unittest|pluggy|iniconfig|l2mac_\w+)(?:\.pyc?|\/.*)$/;

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const foldersOf = (path: string): string[] => path.split("/").slice(0, -1);
