/** Which other files the text of a file may lead to, as the words that could name them. Pure. Rather too many than too few. */

export interface Words {
  words: Set<string>;
  /** It may lead to any file: it names them when it runs. */
  open: boolean;
}

export const isModule = (path: string): boolean => isPython(path) || SCRIPT.test(path);

const isPython = (path: string): boolean => path.endsWith(".py");
const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/;

/** Longer code is not read for its words: it may lead anywhere. Longer data leads nowhere. */
export const TEXT_CHARS = 256 * 1024;

export function wordsOf(path: string, text: string): Words {
  if (text.length > TEXT_CHARS) return { words: new Set(), open: isModule(path) };
  const said = tokensOf(text, isModule(path) ? QUOTED : LIKE_A_PATH).join(" ");
  const words = wordsIn(said);
  for (const [, last] of said.matchAll(LAST)) words.add(`${last}/`);
  if (!isModule(path)) return { words, open: false };
  if (!isPython(path)) return { words, open: OPEN_SCRIPT.some((reaching) => reaching.test(text)) };
  for (const word of wordsIn(importLines(text).join(" "))) words.add(word);
  // A module runs the packages that it lies in.
  for (const folder of foldersOf(path)) words.add(folder);
  return { words, open: OPEN_PYTHON.test(text) };
}

const foldersOf = (path: string): string[] => path.split("/").slice(0, -1);

/** Names of files and modules have no spaces around them in a string. */
const tokensOf = (text: string, like: RegExp): string[] => text.split(/\s+/).filter((token) => like.test(token));
const QUOTED = /["'`]/;
const LIKE_A_PATH = /["'`/]|\.\w/;
/** With a slash behind it: what a path ends with, which may be a folder. */
const LAST = /(?<![\w$-])([\w$-]{1,200})\/?["'`]/g;

const wordsIn = (text: string): Set<string> => new Set(text.match(WORD) ?? []);
const WORD = /[\w$]+(?:-[\w$]+)*/g;
const PLAIN = /^[\w$]+(?:-[\w$]+)*$/;

/** Lines with an import, and those on which it goes on. */
function importLines(text: string): string[] {
  const found: string[] = [];
  let end: RegExp | undefined;
  for (const line of text.split("\n")) {
    const begins = IMPORT.test(line);
    if (begins || end) found.push(line);
    if (begins)
      end = line.lastIndexOf("(") > line.lastIndexOf(")") ? CLOSING : GOES_ON.test(line) ? NOT_GOING_ON : undefined;
    else if (end?.test(line)) end = undefined;
  }
  return found;
}

const IMPORT = /\b(?:import|from)\b/;
const CLOSING = /^[^#]*\)/;
const GOES_ON = /\\\s*$/;
const NOT_GOING_ON = /[^\\\s]\s*$|^\s*$/;

/** The words by which others would name this file; undefined where it could be named in a way that is not seen. */
export function namesOf(path: string): string[] | undefined {
  const segments = path.split("/");
  const name = (segments.at(-1) ?? "").replace(/^\.+/, "").replace(/\..*$/s, "");
  const folder = segments.at(-2);
  const own = PACKAGES_OWN.has(name) || FOLDERS_OWN.has(name) ? folder : undefined;
  if (![name, own ?? name].every((one) => PLAIN.test(one))) return undefined;
  if (own === undefined) return [name];
  return [name, PACKAGES_OWN.has(name) ? own : `${own}/`];
}

/** Who imports anything of a Python package runs these. */
const PACKAGES_OWN = new Set(["__init__", "__main__"]);
/** Who names the folder, and nothing in it, means these. */
const FOLDERS_OWN = new Set(["index", "package"]);

/** Runs programs, imports by computed names, or goes through folders. */
const OPEN_PYTHON = new RegExp(
  [
    "subprocess|pkg_resources|entry_points|\\b(?:importlib|pexpect|plumbum|django|runpy|pkgutil|zipimport|multiprocessing)",
    "__import__|importorskip|pytest_plugins|load_tests|loadTestsFrom|\\b(?:pytester|testdir)\\b",
    "(?<![.\\w])(?:exec|eval|compile)\\s*\\(|\\bos\\.(?:system|popen|exec|spawn|posix_spawn|fork|walk)",
    "\\bfrom\\s+os\\s+import\\s*(?:[(\\\\]|.{0,300}\\b(?:system|popen|exec|spawn|posix_spawn|fork|walk))|\\bfrom\\s+sys\\s+import.{0,300}\\bmodules",
    "\\b[ri]?glob|\\b(?:iterdir|listdir|scandir)|\\.walk\\(|meta_path|path_hooks|__path__|\\bsys\\s*\\.\\s*modules\\b",
    "patch\\w*(?:\\.\\w+)?\\(\\s*f[\"']",
  ].join("|"),
);

const OPEN_SCRIPT = [
  /child_process|worker_threads|\bcluster\b|["'](?:node:)?(?:vm|module)["']|\b(?:execa|shelljs|zx)\b/,
  /\breaddir|\bopendir|\bglob|createRequire|import\.meta\.resolve|require\.(?:context|extensions|cache)/,
  /\beval\s*\(|\bFunction\s*\(|[=,(:[]\s*require\s*[,;)\]}]/,
  // An import whose specifier is computed, escaped, or a folder without a name.
  /\b(?:import|require)\s*\((?!\s*(["'`])[^"'`$\\\n]*\1\s*[,)])/,
  /\b(?:from|import|require\s*\(|import\s*\()\s*["'`](?:[^"'`\n]*\\|\.{1,2}(?:\/\.\.)*\/?["'`])/,
];
