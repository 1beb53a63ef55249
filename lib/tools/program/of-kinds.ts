/** A program with more kinds than `do`, read and checked as a program file is. Pure. */
import { lintProgram } from "../../core/program/language/lint/lint.ts";
import type { Draft } from "../../core/program/program.ts";
import { programIn, readDraft } from "../../core/program/program-text.ts";
import { pluralize } from "../../core/text/format.ts";
import type { PlannedInstruction } from "./instruction-shape.ts";
import { nestedProgram } from "./nested-program.ts";

export type KindsRead = { draft: Draft; notes: string[] } | { problems: string[] };

/** `notes`: the worst case, and what may be a mistake. */
export function ofKinds(flat: PlannedInstruction[], requirements: Draft["requirements"]): KindsRead {
  const nested = nestedProgram(flat);
  if ("problems" in nested) return { problems: nested.problems.slice(0, NAMED) };
  const { instructions, inWords } = nested;
  const read = readDraft({ data: { instructions, requirements }, placeOf: () => undefined });
  if ("findings" in read) return { problems: shortened(read.findings.map(inWords)) };
  const { findings, steps } = lintProgram(programIn(read.draft));
  // Which requirements no instruction serves, the review of the program asks.
  const doubts = findings.filter(({ path }) => path[0] !== "requirements").map(inWords);
  const most = read.draft.tree ? [`It takes at most ${pluralize(steps, "step")}.`] : [];
  return { draft: read.draft, notes: [...most, ...shortened(doubts).map((doubt) => `Perhaps a mistake: ${doubt}`)] };
}

const NAMED = 20;

const shortened = (lines: string[]): string[] =>
  lines.length <= NAMED ? lines : [...lines.slice(0, NAMED), `And ${lines.length - NAMED} more.`];
