/** A package that a project declares, and its package URL. Pure. */

export type Ecosystem = "npm" | "pypi" | "golang" | "cargo" | "composer" | "gem" | "maven";

export interface DeclaredPackage {
  ecosystem: Ecosystem;
  /** With its scope, vendor, group or module path before a slash. */
  name: string;
  /** Absent: the project leaves it open. */
  version?: string | undefined;
  /** Which versions are wanted, where none is fixed. */
  range?: string | undefined;
  /** Only to build or to test. */
  isForDevelopment?: boolean;
  hash?: { alg: "SHA-256" | "SHA-512"; content: string } | undefined;
}

/** Reads one file. What it does not understand declares nothing; it may throw, as parsers do. */
export type ManifestReader = (text: string) => DeclaredPackage[];

/** A line that declares a package is short: what is longer is none. */
export const LINE_CHARS = 2_000;

/** Also at the ends of lines that only expressions know, where an expression for a line would begin again and again. */
export const manifestLines = (text: string): string[] =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).filter(({ length }) => length <= LINE_CHARS);

/** All of it where that is nowhere. */
export const textBefore = (text: string, at: number): string => (at < 0 ? text : text.slice(0, at));

const NAME = /^@?[A-Za-z0-9_][\w.~/-]{0,200}$/;
const VERSION = /^[\w.+~!-]{1,100}$/;
/** No address: it may hold a password. */
const RANGE = /^[\w\s.,<>=!~^*|+()[\]-]{1,100}$/;

/** What others wrote, as far as it is what it should be. */
export function checkedPackages(found: DeclaredPackage[]): DeclaredPackage[] {
  return found.flatMap((each) => {
    if (!NAME.test(each.name) || each.name.split("/").some((part) => part === "" || /^\.+$/.test(part))) return [];
    const { version, range, ...rest } = each;
    const isFixed = version !== undefined && VERSION.test(version);
    const isRange = !isFixed && range !== undefined && RANGE.test(range) && range.trim() !== "";
    return [{ ...rest, ...(isFixed ? { version } : {}), ...(isRange ? { range: range.trim() } : {}) }];
  });
}

/** The version where a requirement fixes one. */
export const exactVersion = (range: string): string | undefined => {
  const wanted = range
    .slice(0, VERSION_CHARS)
    .trim()
    .replace(/^={1,3}/, "")
    .trim()
    .replace(/^v/, "");
  const isFixed = /^\d+\.\d/.test(wanted) && /^[\w.+-]+$/.test(wanted) && !/[.-][x*](?:\.|$)/i.test(wanted);
  return isFixed ? wanted : undefined;
};

const VERSION_CHARS = 200;

/** As the specification of package URLs writes the names of each ecosystem. */
export function purlOf({ ecosystem, name, version }: DeclaredPackage): string {
  const path = nameIn(ecosystem, name).split("/").map(encodeURIComponent).join("/");
  return `pkg:${ecosystem}/${path}${version === undefined ? "" : `@${encodeURIComponent(version)}`}`;
}

function nameIn(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === "pypi") return name.toLowerCase().replaceAll("_", "-");
  return ecosystem === "golang" || ecosystem === "composer" || ecosystem === "npm" ? name.toLowerCase() : name;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const recordIn = (value: unknown, name: string): Record<string, unknown> => {
  const part = isRecord(value) ? value[name] : undefined;
  return isRecord(part) ? part : {};
};

export const textIn = (value: unknown, name: string): string | undefined => {
  const part = isRecord(value) ? value[name] : undefined;
  return typeof part === "string" ? part : undefined;
};

export const listIn = (value: unknown, name: string): unknown[] => {
  const part = isRecord(value) ? value[name] : undefined;
  return Array.isArray(part) ? part : [];
};
