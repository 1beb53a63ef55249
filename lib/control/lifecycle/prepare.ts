/** Makes a submission out of what was asked for, or says all that is wrong with it: before anything is stored or spent. */
import { type Remedy, UserError } from "../../core/errors.ts";
import type { GitOrigin } from "../../core/git/origin.ts";
import { DEFAULT_BUDGET_USD, TASK_BYTES } from "../../core/limits.ts";
import type { Draft, Requirement } from "../../core/program/program.ts";
import { extractRequirements } from "../../core/program/requirements.ts";
import type { PromptPack } from "../../core/prompt/prompt.ts";
import type { Budget, RunOptions } from "../../core/run/option-forms.ts";
import { byteLength } from "../../core/text/file-text.ts";
import { likelyTokens } from "../../core/turn/estimate.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import type { PackEntry } from "../../pack/layout.ts";
import type { StartingFiles } from "../gate/user-tests.ts";
import type { Submission } from "./submit.ts";

export interface ReadTask {
  task: string;
  requirements: Requirement[];
  program: Draft | undefined;
}

/** What can be said of a task without knowing which model it is for. */
export function readTask(task: string, program?: Draft): ReadTask {
  if (task.trim() === "") throw refused("The task is empty.", { command: "run", args: ["<task>"] });
  const bytes = byteLength(task);
  if (bytes > TASK_BYTES) throw refused(`The task has ${bytes} bytes; at most ${TASK_BYTES} fit.`, SHORTER);
  const requirements = requirementsOf(task);
  const complete = program && withRequirements(program, requirements);
  return { task, requirements: complete?.requirements ?? requirements, program: complete };
}

export interface SubmissionRequest {
  read: ReadTask;
  name: string;
  pack: PromptPack;
  profile: ModelProfile;
  models?: ModelProfile[] | undefined;
  /** What it starts from. */
  start?: StartingFiles<Uint8Array | PackEntry> | undefined;
  /** The repository that more of it is fetched from. */
  git?: GitOrigin | undefined;
  budget: Budget;
  options: Omit<RunOptions, "budget" | "from">;
}

export function prepareSubmission(asked: SubmissionRequest): Omit<Submission, "owner"> {
  const { read, name, pack, profile, models, start = {}, git, budget } = asked;
  for (const each of models ?? [profile]) refuseTooLong(read.task, each);
  const options: RunOptions = { ...asked.options, budget, ...(start.from ? { from: true } : {}) };
  return { ...read, name, pack, profile, ...(models ? { models } : {}), options, ...(git ? { git } : {}), ...start };
}

export interface Ceilings {
  /** In US dollars. */
  budget?: number | undefined;
  maxTokens?: number | undefined;
  maxTurns?: number | undefined;
  maxMinutes?: number | undefined;
  /** Of all runs together, on a UTC date; in US dollars. */
  dailyUsd?: number | undefined;
}

/** Without a price no USD ceiling can be kept, so none is promised. */
export function budgetFrom(
  { budget, maxTokens, maxTurns, maxMinutes, dailyUsd }: Ceilings,
  { profile, models = [profile] }: Pick<SubmissionRequest, "profile" | "models">,
): Budget {
  const price = models.every((each) => each.price);
  if (!price && budget !== undefined) {
    throw refused(
      "The cost is unknown (--unpriced), so that a ceiling of --budget could not be kept.",
      "Give --price IN,OUT instead of --unpriced, or --max-tokens instead of --budget.",
    );
  }
  if (!price && dailyUsd !== undefined) {
    throw refused(
      "The cost is unknown (--unpriced), so that the daily ceiling of all runs together could not be kept.",
      "Give --price IN,OUT instead of --unpriced.",
    );
  }
  const usd = budget ?? (price ? DEFAULT_BUDGET_USD : undefined);
  return {
    ...(usd === undefined ? {} : { usd }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    ...(maxTurns === undefined ? {} : { turns: maxTurns }),
    ...(maxMinutes === undefined ? {} : { minutes: maxMinutes }),
  };
}

function refuseTooLong(task: string, { contextWindow, model }: ModelProfile): void {
  const tokens = likelyTokens(byteLength(task), { tokensPerByte: 0 });
  if (tokens <= contextWindow / 2) return;
  const window = `the ${contextWindow} tokens of ${model}'s context window`;
  throw refused(
    `The task takes about ${tokens} tokens, more than half of ${window}: the work would have no room.`,
    SHORTER,
  );
}

const SHORTER = "Shorten the task, move material into files (--from DIR), or choose a model with a larger window.";

function requirementsOf(task: string): Requirement[] {
  const requirements = extractRequirements(task);
  if (Array.isArray(requirements)) return requirements;
  throw refused(requirements.problem, "Change the task, then start it again.");
}

/** A program without requirements of its own serves those of the task. */
export function withRequirements(program: Draft, requirements: Requirement[]): Draft {
  const known = program.requirements.length > 0 ? program.requirements : requirements;
  const ids = new Set(known.map(({ id }) => id));
  const unknown = program.instructions.flatMap(({ title, requirements: named }) =>
    named.filter((id) => !ids.has(id)).map((id) => `${id} ("${title}")`),
  );
  if (unknown.length === 0) return { ...program, requirements: known };
  const has = ids.size > 0 ? `they are ${[...ids].slice(0, 20).join(", ")}` : "there are none in the task either";
  throw refused(
    `The program names requirements that do not exist: ${unknown.slice(0, 5).join(", ")}; ${has}.`,
    "List them under requirements in the program, or name those that the task numbers.",
  );
}

const refused = (message: string, remedy: Remedy): UserError => new UserError(message, { exitCode: 2, remedy });
