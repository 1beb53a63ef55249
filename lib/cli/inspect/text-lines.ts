/** Foreign text as lines that are safe to show. Long texts are cut in the middle, with a note. Pure. */
import { cutLine } from "../../core/text/cut.ts";
import { splitLines } from "../../core/text/file-text.ts";
import { pluralize } from "../../core/text/format.ts";
import { sanitize } from "../../core/text/sanitize.ts";

const LINE_CHARS = 400;

/** `most`: lines; absent: all of it. */
export function textLines(text: string, most: number | undefined): string[] {
  const lines = splitLines(sanitize(text).trimEnd().replaceAll("\t", "    "));
  if (most === undefined) return lines;
  return cutLines(lines, most).map((line) => cutLine(line, LINE_CHARS));
}

export function cutLines(lines: string[], most: number): string[] {
  const left = lines.length - most;
  // A note in place of one line saves nothing.
  if (left <= 1) return lines;
  const tail = Math.floor(most / 3);
  return [
    ...lines.slice(0, most - tail),
    `[… ${pluralize(left, "line")} left out; --all shows them …]`,
    ...lines.slice(lines.length - tail),
  ];
}

/** JSON as it is read most easily: names with their values, and texts with their line ends. */
export function jsonLines(json: string): string[] {
  try {
    return valueLines(JSON.parse(json));
  } catch {
    return splitLines(json);
  }
}

function valueLines(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return scalarLines(value);
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  if (entries.length === 0) return [isList ? "[]" : "{}"];
  return entries.flatMap(([name, each]) => {
    const [first = "", ...rest] = valueLines(each);
    if (isList) return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    const isOneLine =
      rest.length === 0 && (typeof each !== "object" || each === null || first === "[]" || first === "{}");
    return isOneLine ? [`${name}: ${first}`] : [`${name}:`, ...[first, ...rest].map((line) => `  ${line}`)];
  });
}

const scalarLines = (value: unknown): string[] => (typeof value === "string" ? value.split("\n") : [String(value)]);
