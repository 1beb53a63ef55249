/** The languages of source files, one row each: all that is known of a language outside its folder of the evaluator. Pure. */
import type { SourceShape } from "./lex.ts";

export interface SourceLanguage {
  name: string;
  /** Without the dot, in lower case. */
  extensions: string[];
  /** How comments and strings are written in it. Absent: its files are not read for stubs. */
  shape?: SourceShape;
  /** A function's body that may only refuse, as words with spaces between them. */
  refusal?: RegExp;
  /** Names of files that its runners take for tests. */
  tests?: RegExp;
  /** Names of files that are tests where they lie in a folder `test`. */
  testsInFolder?: RegExp;
  /** Of those names, the ones that its runners pass over. */
  overlooked?: RegExp;
  /** Names of other files that decide which of its tests run. */
  settings?: RegExp;
  /** Paths that its runners would load in place of themselves. */
  shadowing?: RegExp;
  /** What a tree must have for its folder of the evaluator to check its files. Absent: it has no such folder. */
  checkedWith?: RegExp;
  /** The program without which its folder checks nothing, as a probe names it. Absent: it needs none. */
  needs?: string;
  /** How a program in it is started. */
  program?: ProgramStart;
}

export interface ProgramStart {
  command: string;
  /** Of files that the command takes. */
  extensions: string[];
  /** True: only a README can say which file it is. */
  isNamedByReadme?: true;
}

export type ReadableLanguage = SourceLanguage & { shape: SourceShape };

const SLASHES: Pick<SourceShape, "lineComments" | "blockComments"> = {
  lineComments: ["//"],
  blockComments: [["/*", "*/"]],
};
const HASH: Pick<SourceShape, "lineComments" | "blockComments"> = { lineComments: ["#"], blockComments: [] };
const NO_COMMENTS = { lineComments: [], blockComments: [] };
const C_LIKE: SourceShape = { ...SLASHES, quotes: `"'`, longQuotes: ['"""'] };
const C_REFUSAL = /^(?:throw (?:new )?\w.*|TODO \(.*|fatalError \(.*)$/;
const C_CLASSES = { shape: C_LIKE, refusal: C_REFUSAL };
/** Where each file is a class. */
const CLASS_TESTS = String.raw`(?:Tests?|TestCase|Spec|IT)\.`;
const ANY_TREE = /^/;

export const python: ReadableLanguage = {
  name: "Python",
  extensions: ["py"],
  shape: { ...HASH, quotes: `"'`, longQuotes: ['"""', "'''"], dialect: "python" },
  tests: /^(?:test_.*|.*_test|tests?)\.pyi?$/,
  settings: /^(?:conftest\.py|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml)$/,
  shadowing:
    /^(?:src\/)?(?:_?pytest|unittest|pluggy|iniconfig|l2mac_\w+)(?:\.pyc?|\/.*)$|(?:^|\/)(?:site|user)customize\.pyc?$|\.pth$/,
  checkedWith: ANY_TREE,
  needs: "python3",
  program: { command: "python", extensions: ["py"] },
};
export const javascript: ReadableLanguage = {
  name: "JavaScript",
  extensions: ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"],
  shape: { ...SLASHES, quotes: `"'`, longQuotes: ["`"], dialect: "javascript" },
  tests: /^(?:test|test-.+|.+[.\-_]test|.+[.\-_]spec)\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/,
  testsInFolder: /^(?!.*\.d\.[cm]?ts$).*\.(?:[cm]?[jt]s|[jt]sx)$/,
  settings:
    /^(?:package\.json|\.npmrc|(?:vitest|jest|vite|ava|karma)\.(?:config|workspace)\..+|\.mocharc(?:\..+)?|\.taprc)$/,
  shadowing: /(?:^|\/)node_modules\//,
  checkedWith: ANY_TREE,
  program: { command: "node", extensions: ["js", "mjs", "cjs", "ts", "mts", "cts"] },
};
export const go: ReadableLanguage = {
  name: "Go",
  extensions: ["go"],
  shape: { ...SLASHES, quotes: `"'`, longQuotes: ["`"], rawQuotes: "`" },
  refusal: /^(?:return .*errors \. New|panic|return .*fmt \. Errorf) \(.*$/,
  tests: /_test\.go$/,
  overlooked:
    /_(?:aix|android|darwin|freebsd|illumos|ios|js|netbsd|openbsd|plan9|solaris|wasip1|windows|wasm|386|arm|mips)_test\.go$/,
  checkedWith: ANY_TREE,
  needs: "go",
};

export const SOURCE_LANGUAGES: SourceLanguage[] = [
  python,
  javascript,
  go,
  // A single quote may begin a lifetime.
  {
    name: "Rust",
    extensions: ["rs"],
    shape: { ...SLASHES, quotes: "", longQuotes: ['"'] },
    refusal: /^(?:todo|unimplemented) ! [([{].*$/,
    settings: /^Cargo\.toml$/,
    checkedWith: /(?:^|\/)Cargo\.toml$/,
    needs: "cargo",
  },
  // A header is compiled with what includes it.
  { name: "C header", extensions: ["h", "hpp"], shape: C_LIKE, refusal: C_REFUSAL, checkedWith: ANY_TREE },
  {
    name: "C",
    extensions: ["c"],
    shape: C_LIKE,
    refusal: C_REFUSAL,
    tests: /^test_.*\.c$|_test\.c$/,
    checkedWith: /^CMakeLists\.txt$/,
  },
  {
    name: "C++",
    extensions: ["cc", "cpp"],
    shape: C_LIKE,
    refusal: C_REFUSAL,
    tests: /^test_.*\.(?:cc|cpp)$|_test\.(?:cc|cpp)$/,
    checkedWith: /^CMakeLists\.txt$/,
  },
  {
    ...C_CLASSES,
    name: "Java",
    extensions: ["java"],
    tests: new RegExp(`(?:${CLASS_TESTS}|^Test[A-Z].*\\.)java$`),
    settings: /^(?:pom\.xml|maven\.config|jvm\.config)$/,
    checkedWith: ANY_TREE,
    needs: "javac",
  },
  { ...C_CLASSES, name: "Kotlin", extensions: ["kt"], tests: new RegExp(`${CLASS_TESTS}kts?$|^Test[A-Z].*\\.kt$`) },
  { ...C_CLASSES, name: "C#", extensions: ["cs"], tests: new RegExp(`${CLASS_TESTS}cs$`) },
  { ...C_CLASSES, name: "Scala", extensions: ["scala"], tests: new RegExp(`${CLASS_TESTS}scala$`) },
  { ...C_CLASSES, name: "Swift", extensions: ["swift"], tests: new RegExp(`(?:${CLASS_TESTS}|^Test[A-Z].*\\.)swift$`) },
  { name: "Dart", extensions: ["dart"], shape: C_LIKE, refusal: C_REFUSAL, tests: /_test\.dart$/ },
  {
    name: "PHP",
    extensions: ["php"],
    shape: { ...C_LIKE, lineComments: ["//", "#"] },
    refusal: C_REFUSAL,
    tests: new RegExp(`_test\\.php$|${CLASS_TESTS}php$`),
    settings: /^(?:phpunit\.xml(?:\.dist)?|composer\.json)$/,
    shadowing: /(?:^|\/)vendor\/(?:bin|phpunit|composer)\/|(?:^|\/)vendor\/autoload\.php$/,
    checkedWith: ANY_TREE,
    needs: "php",
    program: { command: "php", extensions: ["php"], isNamedByReadme: true },
  },
  {
    name: "shell",
    extensions: ["sh", "bash"],
    shape: { ...HASH, quotes: "", longQuotes: ['"', "'"], rawQuotes: "'", dialect: "shell" },
    refusal: /^(?:echo|printf|return|exit|:|true)\b.*$|^:.*$/,
    tests: /_test\.sh$|^test_.*\.(?:sh|bats)$|\.bats$/,
    checkedWith: ANY_TREE,
  },
  {
    name: "Ruby",
    extensions: ["rb"],
    shape: { ...HASH, quotes: `"'`, longQuotes: [] },
    tests: /^test_.*\.rb$|_(?:test|spec)\.rb$/,
    settings: /^(?:\.rspec|Rakefile)$/,
    shadowing:
      /(?:^|\/)(?:lib|test|spec)\/(?:minitest(?:\/(?:autorun|test|unit))?|test\/unit|rspec(?:\/core)?|rake\/testtask)\.rb$/,
    checkedWith: ANY_TREE,
    needs: "ruby",
    program: { command: "ruby", extensions: ["rb"] },
  },
  {
    name: "CSS",
    extensions: ["css", "scss"],
    shape: { ...NO_COMMENTS, blockComments: [["/*", "*/"]], quotes: `"'`, longQuotes: [] },
    checkedWith: ANY_TREE,
  },
  {
    name: "HTML",
    extensions: ["html", "htm"],
    shape: { ...NO_COMMENTS, blockComments: [["<!--", "-->"]], quotes: "", longQuotes: [] },
    checkedWith: ANY_TREE,
  },
  { name: "Clojure", extensions: ["clj"], tests: /_test\.clj$/ },
  { name: "Elixir", extensions: ["ex", "exs"], tests: /_test\.exs?$/ },
  { name: "Haskell", extensions: ["hs"], tests: new RegExp(`${CLASS_TESTS}hs$`) },
  { name: "Julia", extensions: ["jl"], tests: /^test_.*\.jl$/ },
  { name: "Lua", extensions: ["lua"], tests: /^test_.*\.lua$|_(?:test|spec)\.lua$/ },
  { name: "Perl", extensions: ["pl"], tests: /\.t$/ },
  { name: "R", extensions: ["r"], tests: /^test_.*\.r$/ },
  { name: "Zig", extensions: ["zig"] },
];

const BY_EXTENSION = new Map(SOURCE_LANGUAGES.flatMap((one) => one.extensions.map((each) => [each, one] as const)));

export const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

export const sourceLanguageOf = (path: string): SourceLanguage | undefined => BY_EXTENSION.get(extensionOf(path));

/** One whose text can be cut into words. */
export function readableLanguageOf(path: string): ReadableLanguage | undefined {
  const language = sourceLanguageOf(path);
  return language?.shape ? { ...language, shape: language.shape } : undefined;
}
