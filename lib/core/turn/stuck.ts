/** Why an instruction is stuck, with the evidence: the calls that were repeated, how often, and the last verdict. Pure. */
import * as z from "zod";
import { headAndTail, oneLine } from "../text/cut.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { syntaxWords, testsWords } from "../verdict/verdict-words.ts";
import type { Turn } from "./turn.ts";

export const StuckKind = z.enum([
  "loop", // the same calls on the same files
  "turn_cap",
  "timed_out", // the model did not answer in time
  "context_exceeded", // the server refuses even a fresh conversation
  "too_long", // task and instruction alone fill the window
]);
export type StuckKind = z.infer<typeof StuckKind>;

export const StuckReason = z.object({
  kind: StuckKind,
  /** What happened, in words. */
  detail: z.string(),
  /** The calls that came back most often, and how often they did. */
  repeated: z.string().optional(),
  times: z.int().optional(),
  /** What was found last. */
  verdict: z.string().optional(),
});
export type StuckReason = z.infer<typeof StuckReason>;

/** What happened, without the evidence. */
export type StuckCause = Pick<StuckReason, "kind" | "detail">;

/** What of the journal speaks for it. */
export interface Witness {
  turn: Pick<Turn, "turn">;
  answer?: { answer: { toolCalls: { name: string; arguments: string }[] } } | undefined;
  effects?: { verdicts: Verdict[] } | undefined;
}

export function stuckReason(cause: StuckCause, witnesses: Witness[]): StuckReason {
  const [repeated, times] = mostOften(witnesses.map(callsOf).filter(Boolean)) ?? ["", 0];
  const verdict = witnesses.flatMap(({ effects }) => effects?.verdicts ?? []).findLast(saysSomething);
  return {
    ...cause,
    ...(times > 1 ? { repeated, times } : {}),
    ...(verdict ? { verdict: wordsOf(verdict) } : {}),
  };
}

/** In one sentence or two, for the person who decides what to do about it. */
export function describeStuck({ detail, repeated, times, verdict }: StuckReason): string {
  const came = repeated === undefined ? "" : `; ${repeated} came ${times} times`;
  return `${detail}${came}${verdict === undefined ? "" : `; last verdict: ${verdict}`}`;
}

const CALL_CHARS = 160;
const CALLS_CHARS = 300;
const FINDING_CHARS = 200;

const callsOf = ({ answer }: Witness): string =>
  headAndTail(
    (answer?.answer.toolCalls ?? [])
      .map(({ name, arguments: args }) => oneLine(`${name} ${args}`.trim().toWellFormed(), CALL_CHARS))
      .join(", "),
    CALLS_CHARS,
  );

function mostOften(texts: string[]): [string, number] | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0];
}

const saysSomething = ({ syntax, tests }: Verdict): boolean =>
  syntax.status !== "not_run" || tests.status !== "not_run";

function wordsOf({ syntax, tests }: Verdict): string {
  const error = syntax.errors.find(({ known }) => !known);
  const failed = tests.cases.find(({ status, known }) => !known && (status === "failed" || status === "error"));
  const first = error ? `${error.path}:${error.line ?? "?"} ${error.message}` : failed?.name;
  const detail = first === undefined ? "" : ` (${oneLine(first, FINDING_CHARS)})`;
  return `syntax ${syntaxWords(syntax)}, tests ${testsWords(tests)}${detail}`;
}
