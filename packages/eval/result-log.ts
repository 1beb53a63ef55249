/** The file of an evaluation's results: a line is on the disk before the next case begins. */
import { createHash } from "node:crypto";
import { appendFile, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { UserError } from "../../lib/core/errors.ts";
import type { GivenOptions } from "../../lib/core/run/option-forms.ts";
import { type AnyLine, attemptKey, EvaluationLine, type ResultLine, readLines } from "./result-lines.ts";
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
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const first = `${JSON.stringify(evaluation)}\n`;
  // A crash cut the first line: there is nothing behind it.
  const isBegun = !first.startsWith(text);
  if (isBegun) refuseOther(folder, { known: firstOf(folder, text), evaluation });
  else await writeFile(path, "");
  const lines = isBegun ? readLines(text) : [];
  const append = async (line: AnyLine): Promise<void> => {
    await appendDurably(path, `${JSON.stringify(line)}\n`);
    lines.push(line);
  };
  if (!isBegun) await append(evaluation);
  // So that the next line does not continue one that a crash cut.
  else if (!text.endsWith("\n")) await appendFile(path, "\n");
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

/** Throws where the file is none of an evaluation, or of a format that this version does not know. */
function firstOf(folder: string, text: string): EvaluationLine {
  const line = text.slice(0, Math.max(0, text.indexOf("\n")));
  const read = EvaluationLine.safeParse(jsonIn(line));
  if (read.success) return read.data;
  const newer = Newer.safeParse(jsonIn(line)).success;
  const what = newer ? "was written by a newer version of l2mac" : "is no file of an evaluation";
  throw new UserError(`${join(folder, LOG_FILE)} ${what}. It was left as it is.`, {
    exitCode: 2,
    remedy: "Give another folder with --out.",
  });
}

const Newer = z.object({ v: z.number().gt(1), type: z.literal("evaluation") });

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function refuseOther(folder: string, { known, evaluation }: Record<"known" | "evaluation", EvaluationLine>): void {
  const names = ["suite", "model", "suiteHash", "settings"] as const;
  const differs = names.find((name) => known[name] !== undefined && known[name] !== evaluation[name]);
  if (differs === undefined) return;
  const what = DIFFERENT[differs] ?? `${differs} ${known[differs]}`;
  throw new UserError(`${folder} holds the results of an evaluation with ${what}. It was left as it is.`, {
    exitCode: 2,
    remedy: "Give another folder with --out.",
  });
}

const DIFFERENT: Partial<Record<keyof EvaluationLine, string>> = {
  suiteHash: "other tasks or checks",
  settings: "other settings (of the model, its server, the prompts, the checks of runs, or their ceilings)",
};

async function appendDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "a");
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Of what a result depends on, besides the model and the suite. `budget` and its like only end an evaluation sooner. */
export const hashOfSettings = (settings: GivenOptions, pack: object = {}): string =>
  createHash("sha256")
    .update(JSON.stringify([...RESULT_SETTINGS.map((name) => settings[name] ?? null), pack]))
    .digest("hex");

const RESULT_SETTINGS: (keyof GivenOptions)[] = [
  ...(["steps", "parallel", "reflect", "tools", "tests", "install", "checkMinutes", "evidence"] as const),
  ...(["onStuck", "effort", "contextWindow", "baseUrl", "apiVersion"] as const),
  ...(["maxTokens", "maxTurns", "maxMinutes"] as const),
];

/** Changes with every task and every check. */
export const hashOfCases = (cases: EvalCase[]): string =>
  createHash("sha256")
    .update(
      JSON.stringify(
        cases.map(({ id, task, given = {}, spec, ...more }) => [id, task, given, spec, ...recordedIn(more)]),
      ),
    )
    .digest("hex");

const recordedIn = ({ retention }: Pick<EvalCase, "retention">): unknown[] => (retention ? [retention] : []);
