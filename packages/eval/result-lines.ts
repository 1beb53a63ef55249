/** The lines of an evaluation's file: what it is of, which runs began, and what was found of each. Pure. */
import * as z from "zod";

const count = z.int().min(0);

/** The first line. A file is only continued by the same evaluation. */
export const EvaluationLine = z.object({
  v: z.literal(1),
  type: z.literal("evaluation"),
  suite: z.string(),
  /** Of the tasks and checks. */
  suiteHash: z.string(),
  /** As it was asked for; the results have the model that answered. */
  model: z.string(),
  version: z.string(),
  /** A hash of the settings that a result depends on. Absent in older files. */
  settings: z.string().optional(),
});
export type EvaluationLine = z.infer<typeof EvaluationLine>;

const attempt = { case: z.string(), seed: count };

export const StartedLine = z.object({ type: z.literal("started"), ...attempt, run: z.string() });
export type StartedLine = z.infer<typeof StartedLine>;

export const ResultLine = z.object({
  type: z.literal("result"),
  ...attempt,
  run: z.string(),
  /** Of a suite with several. */
  arm: z.string().optional(),
  /** How the run ended; the check is executed on what it delivered, however it ended. */
  status: z.string(),
  reason: z.string().optional(),
  solved: z.boolean(),
  passed: count,
  of: count,
  failures: z.array(z.string()),
  /** The models that answered, by the names in their answers. */
  models: z.array(z.string()),
  usd: z.number(),
  seconds: z.number(),
  turns: count,
  inputTokens: count,
  outputTokens: count,
  files: count,
  /** Of its files, without empty ones. */
  lines: count,
  /** Found by the syntax check of the evaluator, and of the tests that the run wrote. Absent: not looked for. */
  errors: count.optional(),
  ownTests: count.optional(),
  /** Of a book: its words, and the share of runs of eight words that come again. */
  words: count.optional(),
  repeated: z.number().optional(),
});
export type ResultLine = z.infer<typeof ResultLine>;

export const AnyLine = z.discriminatedUnion("type", [EvaluationLine, StartedLine, ResultLine]);
export type AnyLine = z.infer<typeof AnyLine>;

export const attemptKey = (line: { case: string; seed: number }): string => `${line.seed} ${line.case}`;

/** A line that a crash cut is left out; what it would have said is found out again. */
export function readLines(text: string): AnyLine[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [AnyLine.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
