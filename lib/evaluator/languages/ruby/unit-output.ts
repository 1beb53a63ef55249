/** Reads what minitest and test-unit print with -v as cases. Pure. The tests wrote part of it: where it does not add up, nothing passed. */
import type { Report } from "../../report/read-report.ts";

type Case = Report["cases"][number];

const SUMMARY =
  /^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, (?:(\d+) skips|(\d+) pendings, (\d+) omissions\b.*)$/gm;
/** `CalcTest#test_add = 0.00 s = .`; what a test prints comes in between. */
const MINITEST = /([A-Z][^\n#=]{0,200}#test_[^\n]{0,400}?) = /g;
/** `1) Failure:`, and the test in the next line. */
const MINITEST_DETAIL =
  /^ {2}\d+\) (Failure|Error|Skipped):\n([^\n]{1,300}?)(?: \[[^\n]*\])?:\n([\s\S]*?)(?=\n\n|(?![\s\S]))/gm;
const UNIT_DETAIL =
  /^(Failure|Error|Pending|Omission): (?:.*\[)?([^\s([]+)\(([\w:]+)\)\]?(?::.*)?\n([\s\S]*?)^={9,}$/gm;
const STATUS: Record<string, Case["status"]> = { Failure: "failed", Error: "error" };

export interface UnitOutput {
  cases: Case[];
  /** A summary was printed: the runner came to its end. */
  hasEnded: boolean;
}

/** `fileOf`: the test file that has a class. */
export function readUnits(text: string, fileOf: (name: string) => string | undefined): UnitOutput {
  const summaries = [...text.matchAll(SUMMARY)];
  const counted = summaries.reduce((sum, [, runs]) => sum + Number(runs), 0);
  const details = detailsIn(text);
  const named = new Set([
    ...[...text.matchAll(MINITEST)].map(([, name = ""]) => name),
    ...unitNames(text),
    ...details.keys(),
  ]);
  const cases = [...named].map((name): Case => ({ name: shown(name, fileOf), status: "passed", ...details.get(name) }));
  for (let at = cases.length; at < counted; at++) cases.push({ name: `test ${at + 1}`, status: "passed" });
  return { cases, hasEnded: summaries.length > 0 };
}

function detailsIn(text: string): Map<string, Omit<Case, "name">> {
  const found = new Map<string, Omit<Case, "name">>();
  const add = (name: string, kind: string, message: string): void => {
    const status = STATUS[kind] ?? "skipped";
    found.set(name, { status, ...(status === "skipped" ? {} : { message: message.trim() }) });
  };
  for (const [, kind = "", name = "", message = ""] of text.matchAll(MINITEST_DETAIL)) add(name, kind, message);
  for (const [whole, kind = "", test = "", suite = ""] of text.matchAll(UNIT_DETAIL))
    add(`${suite}#${test}`, kind, whole.replace(/\n={9,}$/, ""));
  return found;
}

/** A class in a line of its own, its tests set in below it. */
function unitNames(text: string): string[] {
  const names: string[] = [];
  let suite = "";
  for (const line of text.split("\n")) {
    suite = /^\s*([A-Z][\w:]*): ?$/.exec(line)?.[1] ?? suite;
    const test = /^\s+(test[^\t:]*):\t/.exec(line)?.[1];
    if (test && suite !== "") names.push(`${suite}#${test}`);
  }
  return names;
}

function shown(name: string, fileOf: (name: string) => string | undefined): string {
  const file = fileOf(name.slice(0, name.indexOf("#")));
  return file ? `${file} > ${name}` : name;
}
