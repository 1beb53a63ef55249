/** What a go.mod says, as the untrusted text that it is, and the part of it that an installer may see. Pure. */

export interface GoMod {
  name: string;
  /** The version of Go that it is written for. */
  go?: string;
  required: RequiredModule[];
  /** Modules that others take the place of. `by` without a version is a folder. */
  replaced: { path: string; version?: string; by: string; byVersion?: string }[];
}

export interface RequiredModule {
  path: string;
  version: string;
}

/** Modules of one project at most. */
const MODULES = 1_000;
const WORD = String.raw`"?([^\s"()]+)"?`;
const REQUIRE = new RegExp(`^(?:require\\s+)?${WORD}\\s+(v\\d\\S*)$`);
const REPLACE = new RegExp(`^(?:replace\\s+)?${WORD}(?:\\s+(v\\d\\S*))?\\s+=>\\s+${WORD}(?:\\s+(v\\d\\S*))?$`);

export function parseGoMod(text: string): GoMod {
  const found: GoMod = { name: "", required: [], replaced: [] };
  let block = "";
  for (const line of text.split(/\r?\n/).map((each) => each.replace(/\/\/.*$/s, "").trim())) {
    const [verb = "", first = ""] = line.split(/\s+/);
    const inside = block === "" ? verb : block;
    if (line === ")") block = "";
    else if (first === "(" || verb.endsWith("(")) block = verb.replace("(", "");
    else if (inside === "module") found.name = first.replaceAll('"', "");
    else if (inside === "go" && /^\d+(?:\.\w+)*$/.test(first)) found.go = first;
    else if (inside === "require") takeRequired(line, found);
    else if (inside === "replace") takeReplaced(line, found);
  }
  return found;
}

function takeRequired(line: string, { required }: GoMod): void {
  const [, path, version] = REQUIRE.exec(line) ?? [];
  if (path && version && required.length < MODULES) required.push({ path, version });
}

function takeReplaced(line: string, { replaced }: GoMod): void {
  const [, path, version, by, byVersion] = REPLACE.exec(line) ?? [];
  if (path && by && replaced.length < MODULES)
    replaced.push({ path, by, ...(version ? { version } : {}), ...(byVersion ? { byVersion } : {}) });
}

/** A module of a server's: its name begins with a host's. */
const PATH = /^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+(?:\/[\w.~-]+)*$/i;
const VERSION = /^v\d[\w.+-]*$/;
export const isFetchable = (path: string): boolean => PATH.test(path) && !path.includes("..");

/**
 * The same requests without what lies in the project itself; `own`: the names of its modules. It keeps its name: where
 * a required module requires this one in turn, Go reads more of the graph of modules than it otherwise would.
 */
export function fetchablePart({ name, go, required, replaced }: GoMod, own: ReadonlySet<string>): GoMod {
  const folders = new Set(replaced.filter(({ byVersion }) => !byVersion).map(({ path }) => path));
  const isOutside = (path: string): boolean => isFetchable(path) && !own.has(path) && !folders.has(path);
  return {
    name: isFetchable(name) ? name : "l2mac.invalid/environment",
    ...(go ? { go } : {}),
    required: required.filter(({ path, version }) => isOutside(path) && VERSION.test(version)),
    replaced: replaced.filter(
      ({ path, version, by, byVersion }) =>
        isOutside(path) && VERSION.test(version ?? "v0") && isFetchable(by) && VERSION.test(byVersion ?? ""),
    ),
  };
}

export const writtenGoMod = ({ name, go, required, replaced }: GoMod): string =>
  [
    `module ${name}`,
    ...(go ? [`go ${go}`] : []),
    ...required.map(({ path, version }) => `require ${path} ${version}`),
    ...replaced.map((one) => `replace ${one.path} ${one.version ?? ""} => ${one.by} ${one.byVersion}`),
    "",
  ].join("\n");
