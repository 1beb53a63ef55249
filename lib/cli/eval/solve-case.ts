/** Computes one case of a suite as a run of its own, or continues the run that computes it. */

import {
  type Attempt,
  bytesOf,
  type Solve,
  type SolvedCase,
  type Suite,
  WINDOW_TOKENS,
} from "../../../packages/eval/index.ts";
import { UserError } from "../../core/errors.ts";
import { usdOf } from "../../core/run/budget.ts";
import { toBody } from "../../core/run/option-forms.ts";
import { isEnded, type Run, type RunReason } from "../../core/run/run.ts";
import type { Shell } from "../display/shell.ts";
import { computeShown } from "../runs/compute.ts";
import type { Computer } from "../runs/connection.ts";
import type { Settings } from "../settings/settings.ts";

/** They say nothing of the model's work: the evaluation stops, and goes on when it is started again. */
const STOPS: readonly (RunReason | undefined)[] = [
  ...(["credentials", "provider", "usd", "daily", "over_reservation", "interrupted"] as const),
  ...(["rate_limited", "evaluator_not_ready", "internal", "damaged"] as const),
];

export interface SolvingParts {
  suite: Suite;
  computer: Computer;
  shell: Shell;
  settings: Settings;
  prompts: Parameters<Computer["submit"]>[0]["prompts"];
}

export const createSolve =
  (parts: SolvingParts): Solve =>
  async (attempt) => {
    const { computer, shell } = parts;
    const begun = attempt.run === undefined ? undefined : await computer.run(attempt.run);
    const run = begun ? await continued(begun, attempt, parts) : await submitted(attempt, parts);
    const ended = isOver(run)
      ? run
      : await computeShown({ shell, computer, run, json: false, quiet: true, after: run.events });
    return solvedBy(ended, parts);
  };

async function submitted({ each, seed, budgetUsd, onStarted }: Attempt, parts: SolvingParts): Promise<Run> {
  const { suite, computer, settings, prompts } = parts;
  const { approve: _approve, askAbove: _askAbove, ...own } = settings;
  const window = suite.arms ? { contextWindow: WINDOW_TOKENS } : {};
  const body = toBody({ ...own, ...window, domain: suite.domain, budget: budgetUsd, seed });
  const { id } = await computer.submit(
    { ...body, task: each.task, ...(prompts ? { prompts } : {}) },
    each.given ? { files: bytesOf(each.given) } : {},
    {},
  );
  await onStarted(id);
  return present(computer, id);
}

/** A ceiling that the evaluation had reached is raised to what is left now. */
async function continued(run: Run, { budgetUsd }: Attempt, { computer }: SolvingParts): Promise<Run> {
  if (isOver(run) || computer.isComputed(run)) return run;
  return computer.resume(run, toBody({ budget: usdOf(run.microUsd) + budgetUsd }));
}

/** Nothing of it is left to compute. */
const isOver = ({ status, reason }: Run): boolean => isEnded(status) && !STOPS.includes(reason);

async function solvedBy(run: Run, { computer, shell }: SolvingParts): Promise<SolvedCase> {
  const signal = shell.signals.received();
  const stopped = signal ?? (STOPS.includes(run.reason) ? run.reason : undefined);
  const isDone = stopped === undefined;
  return {
    run: run.id,
    status: run.status,
    ...(run.reason ? { reason: run.reason } : {}),
    models: isDone ? await modelsOf(run, computer) : [],
    files: isDone ? await computer.output(run) : new Map(),
    usd: usdOf(run.microUsd),
    seconds: Math.max(0, (Date.parse(run.endedAt ?? run.updatedAt) - Date.parse(run.createdAt)) / 1000),
    turns: run.turns,
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** By the names in the answers: a server may answer with another model than it was asked for. */
async function modelsOf(run: Run, computer: Computer): Promise<string[]> {
  const models = new Set<string>();
  for (const { instruction, turn } of await computer.turns(run.id)) {
    const entry = await computer.turn(run.id, { instruction, turn });
    if (entry?.answer) models.add(entry.answer.answer.model);
  }
  return [...models].sort();
}

async function present(computer: Computer, id: string): Promise<Run> {
  const run = await computer.run(id);
  if (run) return run;
  throw new UserError(`Run ${id} was deleted meanwhile.`, { exitCode: 2, remedy: { command: "list", args: [] } });
}
