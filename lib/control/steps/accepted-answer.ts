/** What a person's answer leaves behind: a turn without a model call, and an accepted step. Pure. */
import { SUMMARY_CHARS } from "../../core/limits.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { headAndTail } from "../../core/text/cut.ts";
import { maskSecrets } from "../../core/text/secrets.ts";
import type { EffectsBody, Turn } from "../../core/turn/turn.ts";

/** A step that asks has no other. */
export const ANSWER_TURN = 1;

export const effectsOf = (saved: NonNullable<EffectsBody["saved"]>): EffectsBody => ({
  inputs: { elision: { views: 0, contents: 0 }, left: "", maxOutputTokens: 1 },
  results: [],
  correction: "",
  verdicts: [],
  saved,
});

interface SavedAnswer extends Pick<Turn, "changes"> {
  text: string;
  at: string;
  sha256: string;
}

export const accepted = ({ text, at, sha256, changes }: SavedAnswer): Partial<Instruction> => ({
  status: "accepted",
  acceptedAt: at,
  summary: headAndTail(maskSecrets(text.trim()), SUMMARY_CHARS),
  answer: sha256,
  ...(changes.length > 0 ? {} : { unchanged: true }),
});

export const acceptedEvent = (run: Run, { number, title }: Instruction, changes: Turn["changes"]) => ({
  type: "instruction_accepted" as const,
  instruction: number,
  title,
  turns: 0,
  microUsd: 0,
  milliseconds: 0,
  unchecked: false,
  filesWritten: changes.filter(({ sha256 }) => sha256 !== null).length,
  tests: { passed: run.testsPassed, total: run.testsTotal },
  ...(changes.length > 0 ? {} : { unchanged: true as const }),
});
