/** The file of an evaluation's results: a line is on the disk before the next case begins. */
import { createHash } from "node:crypto";
import { appendFile, mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import { type AnyLine, attemptKey, type EvaluationLine, type ResultLine, readLines } from "./result-lines.ts";
import type { EvalCase } from "./suite.ts";

export interface ResultLog {
  folder: string;
  results(): ResultLine[];
  result(attempt: { case: string; seed: number }): ResultLine | undefined;
  /** The run that computes it, where one has begun. */
  started(attempt: { case: string; seed: number }): string | undefined;
  /** Runs that began and have no result: they may have cost something. */
  begun(): string[];
  append(line: AnyLine): Promise<void>;
}

export const LOG_FILE = "results.jsonl";

/** Continues what is there. Throws where that is another evaluation. */
export async function openResultLog(folder: string, evaluation: EvaluationLine): Promise<ResultLog> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, LOG_FILE);
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = readLines(text);
  const append = async (line: AnyLine): Promise<void> => {
    await appendDurably(path, `${JSON.stringify(line)}\n`);
    lines.push(line);
  };
  // So that the next line does not continue one that a crash cut.
  if (text !== "" && !text.endsWith("\n")) await appendFile(path, "\n");
  const known = lines.find((line) => line.type === "evaluation");
  if (known) refuseOther(folder, { known, evaluation });
  else await append(evaluation);
  const results = (): ResultLine[] => lines.filter((line) => line.type === "result");
  return {
    folder,
    results,
    result: (attempt) => results().find((line) => attemptKey(line) === attemptKey(attempt)),
    started: (attempt) =>
      lines.filter((line) => line.type === "started").findLast((line) => attemptKey(line) === attemptKey(attempt))?.run,
    begun: () => {
      const counted = new Set(results().map(({ run }) => run));
      const all = lines.flatMap((line) => (line.type === "started" ? [line.run] : []));
      return [...new Set(all)].filter((run) => !counted.has(run));
    },
    append,
  };
}

function refuseOther(folder: string, { known, evaluation }: Record<"known" | "evaluation", EvaluationLine>): void {
  const differs = (["suite", "model", "suiteHash"] as const).find((name) => known[name] !== evaluation[name]);
  if (differs === undefined) return;
  const what = differs === "suiteHash" ? "other tasks or checks" : `${differs} ${known[differs]}`;
  throw new UserError(`${folder} holds the results of an evaluation with ${what}. It was left as it is.`, {
    exitCode: 2,
    remedy: "Give another folder with --out.",
  });
}

async function appendDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "a");
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Changes with every task and every check. */
export const hashOfCases = (cases: EvalCase[]): string =>
  createHash("sha256")
    .update(JSON.stringify(cases.map(({ id, task, given = {}, spec }) => [id, task, given, spec])))
    .digest("hex");
