/** Reads what a test program prints where that is TAP (the Test Anything Protocol). Pure. */
import { type Report, reportedCase } from "../../report/read-report.ts";

type Case = Report["cases"][number];

const PLAN = /^1\.\.(\d+)\s*(?:#.*)?$/m;
const RESULT = /^(not )?ok\b([^#]*)(?:$|#\s*(skip|todo)\b)/i;
/** Who writes longer ones wants to be waited for. */
const LINE_CHARS = 1_000;

/** Undefined: it is something else. Only a plan makes certain that it is not. `isWhole`: it came to its end. */
export function readTap(text: string, isWhole = true): Case[] | undefined {
  const planned = PLAN.exec(text)?.[1];
  if (planned === undefined) return undefined;
  const cases: Case[] = [];
  const said = new Map<Case, string[]>();
  const add = (found: Case): Case => {
    cases.push(found);
    return found;
  };
  for (const line of text.split("\n").map((each) => each.slice(0, LINE_CHARS))) {
    const result = RESULT.exec(line);
    const last = cases.at(-1);
    if (result) said.set(add(caseOf(result, cases.length + 1)), []);
    else if (/^Bail out!/.test(line)) cases.push({ name: "the whole test run", status: "error", message: line });
    else if (last && /^(?:#|\s+\S)/.test(line)) said.get(last)?.push(line.replace(/^#\s?/, ""));
  }
  const lacking = Number(planned) - cases.length;
  if (isWhole && lacking > 0)
    cases.push({ name: "the plan", status: "error", message: `${lacking} of ${planned} tests did not run` });
  return cases.map((each) => reportedCase(each.status === "failed" ? withMessage(each, said.get(each)) : each));
}

function caseOf([, failed, rest = "", directive]: RegExpExecArray, at: number): Case {
  const name = rest
    .replace(/^\s+\d+/, "")
    .trim()
    .replace(/^-\s*/, "");
  const status = directive ? "skipped" : failed ? "failed" : "passed";
  return { name: name === "" ? `test ${at}` : name, status };
}

const withMessage = (found: Case, said: string[] = []): Case =>
  said.length > 0 ? { ...found, message: said.join("\n") } : found;
