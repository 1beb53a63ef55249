/** Known red in words: for the model as it opens an instruction, and where the gate accepts. Pure. */
import { oneLine } from "../text/cut.ts";
import { pluralize } from "../text/format.ts";
import { countKnownRed, type KnownRed } from "./known-red.ts";

const SHOWN = 20;
const NAME_CHARS = 200;

export function knownRedLines(known: KnownRed): string[] {
  const all = [...known.cases, ...known.findings];
  const shown = all.slice(0, SHOWN).map((name) => `- ${oneLine(name, NAME_CHARS)}`);
  const more = countKnownRed({ ...known, cases: [], findings: [] }) + all.length - shown.length;
  const stopped = [
    ...(known.tests === "not_run" ? ["- which tests were red is not known: their time ran out"] : []),
    ...(known.tests && known.tests !== "not_run"
      ? [`- the tests did not come to their end (${known.tests.replace("_", " ")})`]
      : []),
    ...(known.syntax ? [`- the syntax check did not come to its end (${known.syntax.replace("_", " ")})`] : []),
  ];
  const rest = more - stopped.length;
  return [INTRODUCTION, ...stopped, ...shown, ...(rest > 0 ? [`… and ${rest} more`] : [])];
}

const INTRODUCTION =
  "Known red: this was red in the files before the work began. It does not keep an instruction from being accepted, and nothing may be added to it. Mend it only where the task asks for that.";

/** `2 known red are mended: a, b. 3 known red are left.` */
export function knownRedSentence(left: KnownRed, mended: string[]): string {
  const count = countKnownRed(left);
  return [
    ...(mended.length > 0 ? [`${mended.length} known red mended: ${namesOf(mended)}.`] : []),
    ...(count > 0 ? [`${knownRedNote(count)} left.`] : []),
  ].join(" ");
}

const NAMED = 5;
const namesOf = (names: string[]): string => {
  const shown = names.slice(0, NAMED).map((name) => oneLine(name, NAME_CHARS));
  return `${shown.join(", ")}${names.length > NAMED ? ` and ${pluralize(names.length - NAMED, "other")}` : ""}`;
};

/** For watchers: `3 known red`. */
export const knownRedNote = (count: number): string => `${count} known red`;
