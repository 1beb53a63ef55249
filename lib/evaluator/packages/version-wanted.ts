/** Whether a version is one that a requirement asks for. Where that is not certain, it is taken for one. Pure. */
import { compare, fitsSign, startsWith } from "./version-order.ts";

/** `name[extra]>=1.2,<2; condition` as Python writes it. */
export function fitsPython(version: string, requirement: string): boolean {
  const wanted = requirement.replace(/;.*$/s, "").replace(/^[\w.-]+\s*(?:\[[^\]]*\])?/, "");
  return wanted
    .replace(/[()\s]/g, "")
    .split(",")
    .every((part) => fitsPythonPart(version, part));
}

function fitsPythonPart(version: string, part: string): boolean {
  const [, sign = "", wanted = ""] = /^(===|==|~=|!=|<=|>=|<|>)(.+)$/.exec(part) ?? [];
  const order = compare(version, wanted);
  if (order === undefined) return true;
  if (wanted.endsWith(".*")) return sign !== "==" || startsWith(version, wanted.slice(0, -2));
  if (sign === "~=") return order >= 0 && startsWith(version, wanted.split(".").slice(0, -1).join("."));
  return fitsSign(sign, order);
}

/** `^1.2 || ~2.0 || 3.x` as npm writes it. */
export const fitsNode = (version: string, range: string): boolean =>
  range.split("||").some((all) => isUnreadable(all) || wordsOf(all).every((word) => fitsNodeWord(version, word)));

/** Spans with a hyphen, and the names of tags. */
const isUnreadable = (range: string): boolean => / - /.test(range) || /^\s*[a-z]+\s*$/i.test(range);

const wordsOf = (range: string): string[] =>
  range
    .replace(/(?<![<>=~^])([<>=~^]+)\s+/g, "$1")
    .split(/\s+/)
    .filter((word) => word !== "");

function fitsNodeWord(version: string, word: string): boolean {
  const [, sign = "", written = ""] = /^([<>=~^]*)(?![<>=~^])v?(.*)$/.exec(word) ?? [];
  const wanted = written.replace(/(?:^|\.)[x*].*$/i, "");
  const order = compare(version, wanted);
  if (wanted === "" || order === undefined) return true;
  if (sign === "^") return order >= 0 && startsWith(version, caretPart(wanted));
  if (sign === "~") return order >= 0 && startsWith(version, wanted.split(".").slice(0, 2).join("."));
  return sign === "" || sign === "=" ? startsWith(version, wanted) : fitsSign(sign, order);
}

/** Up to the first number that is not 0: that one may not change. */
function caretPart(wanted: string): string {
  const parts = wanted.split(".");
  const first = parts.findIndex((part) => Number(part) > 0);
  return parts.slice(0, first === -1 ? parts.length : first + 1).join(".");
}
