/** Requirements as Poetry writes them, in the words of the standard. Pure. */
import { listAt, listsAt, tableAt, textAt } from "./toml-values.ts";

interface PoetryPackages {
  dependencies: string[];
  extras: Record<string, string[]>;
  groups: Record<string, string[]>;
}

export function poetryPackages(poetry: Record<string, unknown> | undefined): PoetryPackages {
  const packages = tableAt(poetry, "dependencies") ?? {};
  const wanted = Object.entries(packages).filter(([name]) => name.toLowerCase() !== "python");
  const lines = ([name, value]: [string, unknown]): string[] => poetryLines(name, value);
  const extras = Object.entries(listsAt(poetry, "extras")).map(([extra, names]) => [
    extra,
    wanted.filter(([name]) => names.includes(name)).flatMap(lines),
  ]);
  const groups = Object.entries(tableAt(poetry, "group") ?? {}).map(([name, group]) => [
    name,
    Object.entries(tableAt(group, "dependencies") ?? {}).flatMap(lines),
  ]);
  const dev = Object.entries(tableAt(poetry, "dev-dependencies") ?? {}).flatMap(lines);
  return {
    dependencies: wanted.filter(([, value]) => tableAt(value)?.optional !== true).flatMap(lines),
    extras: Object.fromEntries(extras),
    groups: Object.fromEntries(dev.length > 0 ? [["dev", dev], ...groups] : groups),
  };
}

/** One line, or one for each kind of computer. */
export function poetryLines(name: string, wanted: unknown): string[] {
  if (Array.isArray(wanted)) return wanted.flatMap((one) => poetryLines(name, one));
  const table = tableAt(wanted);
  if (table && ["git", "path", "url", "file"].some((key) => Object.hasOwn(table, key))) return [`${name} @ elsewhere`];
  const version = typeof wanted === "string" ? wanted : (textAt(table, "version") ?? "*");
  const extras = listAt(table, "extras");
  const python = textAt(table, "python");
  const markers = [textAt(table, "markers"), python === undefined ? undefined : pythonMarker(python)];
  const conditions = markers.filter((one) => one !== undefined && one !== "");
  const condition = conditions.length > 1 ? conditions.map((one) => `(${one})`).join(" and ") : conditions.join("");
  return [
    `${name}${extras.length > 0 ? `[${extras.join(",")}]` : ""}${versionsOf(version)}${condition === "" ? "" : ` ; ${condition}`}`,
  ];
}

/** `^1.2`, `~1.2`, `1.*`, `1.2`, `>=1,<2`; of alternatives everything from the lowest to the highest. */
function versionsOf(version: string): string {
  const alternatives = version.split("||").map((one) => one.trim());
  if (alternatives.length === 1) return partsOf(version).join(",");
  const bounds = alternatives.map(partsOf);
  const lowest = bounds[0]?.filter((part) => />/.test(part)) ?? [];
  const highest = bounds.at(-1)?.filter((part) => /</.test(part)) ?? [];
  return [...lowest, ...highest].join(",");
}

const partsOf = (version: string): string[] =>
  version
    .replace(/([<>=!~^])\s+/g, "$1")
    .split(/\s*,\s*|\s+/)
    .flatMap(partOf);

function partOf(part: string): string[] {
  const [, sign = "", number = ""] = /^(\^|~(?!=)|[<>=!~]*(?![<>=!~]))(.*)$/.exec(part) ?? [];
  if (number === "" || number === "*") return [];
  if (sign === "^" || sign === "~") {
    const numbers = number.split(".").map((one) => Number.parseInt(one, 10) || 0);
    const first = numbers.findIndex((one) => one > 0);
    const kept = sign === "~" ? Math.min(2, numbers.length) : first === -1 ? numbers.length : first + 1;
    const upper = numbers.slice(0, kept);
    upper[kept - 1] = (upper[kept - 1] ?? 0) + 1;
    return [`>=${number}`, `<${upper.join(".")}`];
  }
  return [sign === "" || sign === "=" ? `==${number}` : part];
}

function pythonMarker(python: string): string {
  return partsOf(python.split("||")[0] ?? "")
    .map((part) => /^([<>=!~]+)(?![<>=!~])(.*)$/.exec(part))
    .map((found) => (found ? `python_version ${found[1]} "${(found[2] ?? "").split(".").slice(0, 2).join(".")}"` : ""))
    .filter((one) => one !== "")
    .join(" and ");
}
