/** Computes the cases of a suite one after the other, and checks what each delivers. */
import { UserError } from "../../lib/core/errors.ts";
import type { Evaluator } from "../../lib/core/ports.ts";
import { bytesOf } from "./case-files.ts";
import { checkTrees } from "./check-trees.ts";
import { measureTree } from "./measure-tree.ts";
import type { ResultLine } from "./result-lines.ts";
import type { ResultLog } from "./result-log.ts";
import { type CaseOutcome, type EvalCase, isSolved, type Suite } from "./suite.ts";

/** A run that has ended, or stopped. */
export interface SolvedCase
  extends Pick<
    ResultLine,
    "run" | "status" | "reason" | "models" | "usd" | "seconds" | "turns" | "inputTokens" | "outputTokens"
  > {
  files: ReadonlyMap<string, Uint8Array>;
  /** Why it says nothing of the case: it was interrupted, or the model server does not answer. It can go on. */
  stopped?: string;
}

export interface Attempt {
  each: EvalCase;
  seed: number;
  budgetUsd: number;
  /** The run that computes it already. */
  run: string | undefined;
  onStarted: (run: string) => Promise<void>;
}

/** What computes a case. */
export type Solve = (attempt: Attempt) => Promise<SolvedCase>;

export interface SuiteEvaluation {
  suite: Suite;
  cases: EvalCase[];
  seeds: number;
  /** For all cases together. */
  budgetUsd: number;
  log: ResultLog;
  evaluator: Evaluator;
  solve: Solve;
  /** What a run has cost so far. */
  spentOn: (run: string) => Promise<number>;
  onResult: (line: ResultLine) => void;
}

/** Answers why it stopped before its end; undefined: every case has a result. */
export async function evaluateSuite(evaluation: SuiteEvaluation): Promise<string | undefined> {
  const { cases, seeds, log, solve } = evaluation;
  let isChecked = false;
  for (const [each, seed] of attemptsOf(cases, seeds)) {
    const attempt = { case: each.id, seed };
    if (log.result(attempt)) continue;
    const left = await leftOf(evaluation);
    if (left <= 0) return "usd";
    if (!isChecked) await tryChecker(evaluation);
    isChecked = true;
    const onStarted = (run: string): Promise<void> => log.append({ type: "started", ...attempt, run });
    const solved = await solve({ each, seed, budgetUsd: left, run: log.started(attempt), onStarted });
    if (solved.stopped !== undefined) return solved.stopped;
    const line = await resultOf(evaluation, { each, seed, solved });
    await log.append(line);
    evaluation.onResult(line);
  }
  return undefined;
}

/** Throws where the checker refuses a known solution: each case that a model solved would count as failed. */
async function tryChecker({ suite, cases, evaluator }: SuiteEvaluation): Promise<void> {
  const known = [...Map.groupBy(cases, ({ group }) => group?.name).values()].flatMap(([first]) => first ?? []);
  if (known.length === 0) return;
  const remedy = { command: "eval", args: ["doctor", suite.name] };
  try {
    const trees = known.map(({ oracle, spec, seconds }) => ({ files: bytesOf(oracle), spec, seconds }));
    const outcomes = await checkTrees({ evaluator, checker: suite.checker, trees });
    const at = outcomes.findIndex((outcome) => !isSolved(outcome));
    if (at < 0) return;
    const why = outcomes[at]?.failures[0] ?? "nothing passed";
    throw new UserError(`The checks refuse the known solution of ${known[at]?.id}: ${why}.`, { exitCode: 3, remedy });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`${error.message} Nothing was computed or paid.`, { exitCode: 3, remedy, cause: error });
  }
}

/** Of the budget of all cases: what unfinished runs have cost counts too, or each continuation could spend it again. */
async function leftOf({ budgetUsd, log, spentOn }: SuiteEvaluation): Promise<number> {
  const begun = await Promise.all(log.begun().map(spentOn));
  return [...log.results().map(({ usd }) => usd), ...begun].reduce((left, usd) => left - usd, budgetUsd);
}

const attemptsOf = (cases: EvalCase[], seeds: number): [EvalCase, number][] =>
  Array.from({ length: seeds }, (_, seed) => cases.map((each): [EvalCase, number] => [each, seed])).flat();

interface Answered {
  each: EvalCase;
  seed: number;
  solved: SolvedCase;
}

async function resultOf({ suite, evaluator }: SuiteEvaluation, { each, seed, solved }: Answered): Promise<ResultLine> {
  const { files, stopped: _, ...ended } = solved;
  const { spec, seconds } = each;
  const [{ measured: ofBook, ...outcome } = NOTHING] = await checkTrees({
    evaluator,
    checker: suite.checker,
    trees: [{ files, spec, seconds }],
  });
  const isRun = (each.arm ?? "l2mac") === "l2mac" && each.retention === undefined;
  const measured = isRun && suite.domain === "codebase" ? await measureTree(evaluator, files) : {};
  const given = bytesOf(each.given ?? {});
  const written = [...files].filter(([path, content]) => !isSame(given.get(path), content));
  return {
    type: "result",
    case: each.id,
    seed,
    ...ended,
    solved: isSolved(outcome),
    ...outcome,
    ...(each.arm === undefined ? {} : { arm: each.arm }),
    files: written.length,
    lines: written.reduce((sum, [, content]) => sum + linesIn(content), 0),
    ...measured,
    ...ofBook,
  };
}

const NOTHING: CaseOutcome = { passed: 0, of: 1, failures: ["it was not checked"] };

const isSame = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one !== undefined && Buffer.compare(one, other) === 0;

const linesIn = (content: Uint8Array): number =>
  new TextDecoder()
    .decode(content)
    .split("\n")
    .filter((line) => line.trim() !== "").length;
