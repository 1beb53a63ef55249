/** What a source file exports and imports, read from its lines without parsing it. Pure. */

export interface SourceOutline {
  exports: string[];
  /** As they are written: `./store.ts`, `..models`, `example.org/app/store`. */
  imports: string[];
}

/** Reads one line; a statement of several lines arrives as one. */
type LineReader = (line: string, found: SourceOutline) => void;

interface SourceFamily {
  files: RegExp;
  readLine: LineReader;
  /** Where a line begins a list that a later line ends. */
  opens?: RegExp;
  closes?: RegExp;
}

/** A line that is longer was written by a program. */
const LINE_CHARS = 400;
const LIST_LINES = 120;
const NAMES = 80;

export function outlineOf(path: string, text: string): SourceOutline | undefined {
  const family = FAMILIES.find(({ files }) => files.test(path));
  if (!family) return undefined;
  const found: SourceOutline = { exports: [], imports: [] };
  for (const line of statements(text, family)) family.readLine(line, found);
  return { exports: [...new Set(found.exports)].slice(0, NAMES), imports: [...new Set(found.imports)] };
}

export const isSource = (path: string): boolean => FAMILIES.some(({ files }) => files.test(path));

/** Lines, with each list of names joined into one. */
function statements(text: string, { opens, closes }: SourceFamily): string[] {
  const joined: string[] = [];
  let list: string[] | undefined;
  for (const line of text.split("\n")) {
    if (line.length > LINE_CHARS) continue;
    if (list) list.push(line);
    else if (opens?.test(line) && !closes?.test(line)) list = [line];
    else joined.push(line);
    if (!list || !(closes?.test(line) || list.length > LIST_LINES)) continue;
    joined.push(list.join(" "));
    list = undefined;
  }
  return list ? [...joined, ...list] : joined;
}

const first = (pattern: RegExp, line: string): string[] => {
  const name = pattern.exec(line)?.[1];
  return name === undefined ? [] : [name];
};

/** Of `a, b as c, type D`: the names under which others know them. */
const namesIn = (list: string): string[] =>
  list
    .split(",")
    .map((one) => one.split(/[ :]/).findLast((word) => word !== "") ?? "")
    .filter((name) => /^[\w$]+$/.test(name));

const JS_DECLARED =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|var|interface|type|enum|namespace) ([\w$]+)/;
const JS_LIST = /^export (?:type )?\{([^}]*)\}/;
const JS_SOURCE = /\b(?:from|import|require) ?\(? ?["']([^"']+)["']/g;

const javascript: SourceFamily = {
  files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
  opens: /^(?:export (?:type )?\{|module\.exports = \{)/,
  closes: /\}/,
  readLine(line, { exports, imports }) {
    const declared = first(JS_DECLARED, line);
    exports.push(...declared, ...namesIn(JS_LIST.exec(line)?.[1] ?? ""));
    if (declared.length === 0 && line.startsWith("export default ")) exports.push("default");
    exports.push(...first(/^(?:module\.)?exports\.([\w$]+) =/, line), ...first(/^module\.exports = ([\w$]+)/, line));
    if (line.startsWith("module.exports = {"))
      exports.push(
        ...line
          .slice(18)
          .split(",")
          .flatMap((one) => first(/^\s*([\w$]+)/, one)),
      );
    for (const [, from = ""] of line.matchAll(JS_SOURCE)) imports.push(from);
  },
};

const python: SourceFamily = {
  files: /\.pyi?$/,
  readLine(line, { exports, imports }) {
    const name = first(/^(?:async )?(?:def|class) (\w+)/, line).concat(first(/^([A-Z][A-Z0-9_]*) ?[:=]/, line));
    exports.push(...name.filter((one) => !one.startsWith("_")));
    const [, from, names = ""] = /^ *from +([\w.]+) +import +(.*)/.exec(line) ?? [];
    if (from !== undefined)
      imports.push(from, ...namesIn(names.replace(/[()]/g, "")).map((one) => submodule(from, one)));
    const [, modules] = /^ *import +([\w., ]+)/.exec(line) ?? [];
    if (modules !== undefined) imports.push(...modules.split(",").map((one) => one.trim().split(" ")[0] ?? ""));
  },
};

const submodule = (from: string, name: string): string => (from.endsWith(".") ? `${from}${name}` : `${from}.${name}`);

const go: SourceFamily = {
  files: /\.go$/,
  readLine(line, { exports, imports }) {
    exports.push(...first(/^(?:func|type|var|const) ([A-Z]\w*)/, line));
    imports.push(...first(/^(?:import )?\s*(?:[\w.]+ )?"([\w./~-]+)"$/, line.trimEnd()));
  },
};

const rust: SourceFamily = {
  files: /\.rs$/,
  readLine(line, { exports, imports }) {
    exports.push(
      ...first(/^pub (?:const |async |unsafe )*(?:fn|struct|enum|trait|type|static|const|mod|union) (\w+)/, line),
    );
    imports.push(...first(/^(?:pub )?mod (\w+);/, line).map((name) => `self::${name}`));
    imports.push(...first(/^\s*(?:pub )?use (crate::[\w:]+)/, line));
  },
};

const java: SourceFamily = {
  files: /\.(?:java|kt)$/,
  readLine(line, { exports, imports }) {
    exports.push(
      ...first(/^public (?:final |abstract |sealed )*(?:class|interface|enum|record|@interface) (\w+)/, line),
    );
    imports.push(...first(/^import (?:static )?([\w.]+)/, line));
  },
};

const FAMILIES: SourceFamily[] = [javascript, python, go, rust, java];
