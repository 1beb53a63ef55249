/** Packages that Python's requirement files, `pyproject.toml` and lock files declare. Pure. */
import { parse } from "smol-toml";
import {
  type DeclaredPackage,
  exactVersion,
  isRecord,
  LINE_CHARS,
  listIn,
  manifestLines,
  recordIn,
  textBefore,
  textIn,
} from "./declared-package.ts";

export const readRequirements = (text: string): DeclaredPackage[] =>
  manifestLines(text).flatMap((line) => requirement(withoutComment(line), false));

const withoutComment = (line: string): string => textBefore(line, line.search(/(?:^|\s)#/));

/** As PEP 508 writes it: `name[extra] >=1,<2; marker`. Options and addresses name no package of an index. */
function requirement(text: string, isForDevelopment: boolean): DeclaredPackage[] {
  if (text.length > LINE_CHARS) return [];
  const [wanted = ""] = text.split(/[;\\]/, 1);
  const found = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?(.*)$/s.exec(wanted);
  if (!found) return [];
  const [, name = "", rest = ""] = found;
  if (rest.trim() !== "" && !/^\s*[(@<>=!~]/.test(rest)) return [];
  const range = rest.includes("@") ? undefined : textBefore(rest, rest.search(/\s--/)).replace(/[()]/g, "").trim();
  const version = range?.startsWith("==") ? exactVersion(range) : undefined;
  return [{ ecosystem: "pypi", name, version, range, isForDevelopment }];
}

const requirements = (list: unknown[], isForDevelopment: boolean): DeclaredPackage[] =>
  list.flatMap((each) => (typeof each === "string" ? requirement(each, isForDevelopment) : []));

export function readPyproject(text: string): DeclaredPackage[] {
  const toml: unknown = parse(text);
  const project = recordIn(toml, "project");
  const extras = recordIn(project, "optional-dependencies");
  const groups = recordIn(toml, "dependency-groups");
  const poetry = recordIn(recordIn(toml, "tool"), "poetry");
  const dev = [
    recordIn(poetry, "dev-dependencies"),
    ...Object.values(recordIn(poetry, "group")).map((group) => recordIn(group, "dependencies")),
  ];
  return [
    ...requirements(listIn(project, "dependencies"), false),
    ...Object.keys(extras).flatMap((name) => requirements(listIn(extras, name), false)),
    ...Object.keys(groups).flatMap((name) => requirements(listIn(groups, name), true)),
    ...poetryPackages(recordIn(poetry, "dependencies"), false),
    ...dev.flatMap((table) => poetryPackages(table, true)),
  ];
}

const poetryPackages = (table: Record<string, unknown>, isForDevelopment: boolean): DeclaredPackage[] =>
  Object.entries(table).flatMap(([name, wanted]) => {
    if (name === "python" || (isRecord(wanted) && wanted.path !== undefined)) return [];
    const range = typeof wanted === "string" ? wanted : textIn(wanted, "version");
    return [{ ecosystem: "pypi" as const, name, version: fixedIn(range), range, isForDevelopment }];
  });

/** `1.2.3` is a range there; only `==1.2.3` fixes it. */
const fixedIn = (range = ""): string | undefined => (range.startsWith("==") ? exactVersion(range) : undefined);

/** `poetry.lock` and `uv.lock`. What has a folder as its source is the project itself. */
export function readTomlLock(text: string): DeclaredPackage[] {
  return listIn(parse(text), "package").flatMap((each) => {
    const { virtual, editable, directory } = recordIn(each, "source");
    if ((virtual ?? editable ?? directory) !== undefined) return [];
    return [{ ecosystem: "pypi" as const, name: textIn(each, "name") ?? "", version: textIn(each, "version") }];
  });
}

export function readPipfileLock(text: string): DeclaredPackage[] {
  const lock: unknown = JSON.parse(text);
  return ["default", "develop"].flatMap((part) =>
    Object.entries(recordIn(lock, part)).map(([name, each]) => {
      const range = textIn(each, "version");
      const isForDevelopment = part === "develop";
      return { ecosystem: "pypi" as const, name, version: fixedIn(range), range, isForDevelopment };
    }),
  );
}
