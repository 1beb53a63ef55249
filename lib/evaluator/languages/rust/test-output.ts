/** Reads what `cargo test` prints as a report. Pure. The tests wrote part of it: where it does not add up, nothing passed. */
import { type Report, reportedCase } from "../../report/read-report.ts";

type Case = Report["cases"][number];

interface Section {
  name: string;
  cases: Case[];
  /** As its first line says. Undefined: it is no program of Rust's own tests. */
  announced?: number;
  hasEnded: boolean;
}

const HEAD = /^\s+(?:Running (?:unittests )?(\S+) \(.*\)|Doc-tests (\S+))$/;
const TEST =
  /^test (.+?)(?: - should panic(?: - compile)?| - compile(?: fail)?)? \.\.\. (ok|FAILED|ignored)(?:, .*)?(?: \([\d.]+s\)| <[\d.]+s>)?$/;
const RESULT = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;/;
const STATUS = { ok: "passed", FAILED: "failed", ignored: "skipped" } as const;

export function readTests(text: string, exit: number | null): Report {
  const sections: Section[] = [];
  const messages = messagesIn(text);
  for (const line of text.split("\n")) takeLine(line, sections);
  const cases = sections.flatMap((section) => casesOf(section, exit));
  const unended = sections.filter((one) => one.announced !== undefined && !one.hasEnded);
  const withMessages = cases.map((one) => {
    const message = messages.get(one.name.replace(/^.*? > /, ""));
    return reportedCase(one.status === "failed" && message ? { ...one, message } : one);
  });
  return {
    cases: withMessages,
    running: unended.map(({ name }) => name),
    unseen: [],
    truncated: false,
    ...(exit !== null && unended.length === 0 ? { end: exit } : {}),
  };
}

function takeLine(line: string, sections: Section[]): void {
  const [, target, crate] = HEAD.exec(line) ?? [];
  if (target ?? crate) sections.push({ name: target ?? `${crate} (documentation)`, cases: [], hasEnded: false });
  const section = sections.at(-1);
  if (!section) return;
  const announced = /^running (\d+) tests?$/.exec(line)?.[1];
  const [, name, state] = TEST.exec(line) ?? [];
  if (announced !== undefined) section.announced = Number(announced);
  else if (name && (state === "ok" || state === "FAILED" || state === "ignored"))
    section.cases.push({ name: `${section.name} > ${name}`, status: STATUS[state] });
  else if (RESULT.test(line)) section.hasEnded = true;
}

/** Tests with a program of their own count by the exit code of all. */
const casesOf = ({ name, cases, announced }: Section, exit: number | null): Case[] =>
  announced === undefined && exit === 0 ? [{ name, status: "passed" }] : cases;

/** Below `failures:`, what each failing test printed. */
function messagesIn(text: string): Map<string, string> {
  const found = [...text.matchAll(/^---- (.+?)(?: stdout)? ----\n([\s\S]*?)(?=^---- |^failures:$|^test result: )/gm)];
  return new Map(found.map(([, name = "", message = ""]) => [name, message.trim()]));
}
