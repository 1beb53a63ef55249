/** `l2mac eval <suite>`: computes the cases of a suite with a model, within a budget, and continues what is there. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import {
  type EvalCase,
  type EvaluationLine,
  evaluateSuite,
  hashOfCases,
  hashOfSettings,
  inArms,
  markdownOf,
  openResultLog,
  type ResultLine,
  type ResultLog,
  type Suite,
  summarize,
  usableCases,
  wordsOf,
} from "../../../packages/eval/index.ts";
import { UserError } from "../../core/errors.ts";
import { DEFAULT_BUDGET_USD } from "../../core/limits.ts";
import type { Evaluator } from "../../core/ports.ts";
import { usdOf } from "../../core/run/budget.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { projectVersion } from "../../files/project-files.ts";
import { loadPack } from "../../files/prompt-folder.ts";
import { createRunLock } from "../../host/run-lock.ts";
import { hasKey, hostOf, keyNameOf, type ModelWish } from "../../model/open-model.ts";
import { REHEARSAL } from "../../model/rehearsal-name.ts";
import { openEvaluator } from "../../sandbox/open-evaluator.ts";
import { howToSeal } from "../../sandbox/permission.ts";
import type { Shell } from "../display/shell.ts";
import { exitCodeOfSignal } from "../display/signals.ts";
import type { CommandLine } from "../runs/command-line.ts";
import { openLocalComputer } from "../runs/local-connection.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { modelServerIn } from "../settings/model-server.ts";
import { madeHome } from "../settings/own-home.ts";
import { settingsOfNewRun } from "../settings/settings.ts";
import { chatLines, chatPath, isChat, spentIn } from "./chat-ledger.ts";
import { openChatModel } from "./chat-model.ts";
import { countIn } from "./count-in.ts";
import { EVAL_OUT, LIMIT, SEEDS } from "./eval-commands.ts";
import { createArmSolve } from "./solve-arm.ts";
import { createSolve, type SolvingParts } from "./solve-case.ts";
import { suitePlace } from "./suite-place.ts";

/** Answers the exit code. */
export async function evaluateModel(
  suite: Suite,
  { given, shell }: Pick<CommandLine, "given" | "shell">,
): Promise<number> {
  const settings = settingsOfNewRun({ ...shell, flags: given.flags, helpOf: "eval" });
  const server = modelServerIn(settings, shell.env);
  const { model } = server;
  if (model === undefined) throw noModel(suite);
  if (model === REHEARSAL) throw notRehearsed(suite);
  if (!hasKey(server)) throw noKey(server);
  const seeds = countIn(given, SEEDS.name, 1);
  const opened = openEvaluator({ home: madeHome(shell), env: shell.env, announce: shell.say });
  if (!opened.sealed.sealed && settings.unsealed !== true) throw notSealed(opened.sealed.how);
  const whole = await usable(await suite.load(suitePlace(shell, given)), opened.evaluator, shell);
  const cases = inArms(whole.slice(0, countIn(given, LIMIT.name, whole.length)), suite);
  const folder = resolve(
    shell.cwd,
    given.flags.get(EVAL_OUT.name) ?? join("evaluation", `${suite.name}-${slug(model)}`),
  );
  const prompts = settings.prompts === undefined ? undefined : await loadPack(settings.prompts);
  const evaluation: EvaluationLine = {
    v: 1,
    type: "evaluation",
    suite: suite.name,
    suiteHash: hashOfCases(whole),
    model,
    version: projectVersion(),
    settings: hashOfSettings(settings, prompts),
  };
  const lease = await leaseOf(folder);
  try {
    const log = await openResultLog(folder, evaluation);
    const stopped = await computed(
      { suite, cases, seeds, log, evaluator: opened.evaluator, settings, prompts },
      { given, shell },
    );
    const summary = summarize({ evaluation, results: resultsOf(log, cases, seeds), cases: cases.length, seeds });
    const text = markdownOf(summary, resultsOf(log, cases, seeds));
    const data = `${JSON.stringify({ ...summary, lines: resultsOf(log, cases, seeds) }, null, 2)}\n`;
    writeFileSync(join(folder, "results.json"), data);
    writeFileSync(join(folder, "results.md"), text);
    shell.out(given.flags.has(JSON_OUTPUT.name) ? data : text);
    shell.say(`The results are in ${relative(shell.cwd, folder) || "."}.`);
    return stopped === undefined ? 0 : stoppedWith(stopped, shell);
  } finally {
    lease.release();
  }
}

/** Those that can be checked here. Says which cannot. */
async function usable(all: EvalCase[], evaluator: Evaluator, { say }: Shell): Promise<EvalCase[]> {
  const { cases, left } = await usableCases(all, evaluator);
  for (const each of left) say(`${wordsOf(each)}.`);
  if (cases.length > 0 || left.length === 0) return cases;
  throw unable("No case of it can be checked here.", { command: "doctor", args: [] }, 3);
}

/** Those of this command line: the file may have others, of another --limit. */
const resultsOf = (log: ResultLog, cases: EvalCase[], seeds: number): ResultLine[] => {
  const names = new Set(cases.map(({ id }) => id));
  return log.results().filter((line) => names.has(line.case) && line.seed < seeds);
};

type Evaluated = { suite: Suite; cases: EvalCase[]; seeds: number; log: ResultLog; evaluator: Evaluator } & Pick<
  CommandLine,
  "settings"
> &
  Pick<SolvingParts, "prompts">;

async function computed(
  { settings, prompts, ...evaluated }: Evaluated,
  { given, shell }: Pick<CommandLine, "given" | "shell">,
): Promise<string | undefined> {
  const { suite, log, cases, seeds } = evaluated;
  const computer = await openLocalComputer(shell, settings, given.flags);
  const onResult = (line: ResultLine): void => {
    const done = resultsOf(log, cases, seeds).length;
    const words = `${line.case} seed ${line.seed}: ${line.solved ? "solved" : "not solved"} (${line.passed}/${line.of}), $${line.usd.toFixed(4)}`;
    shell.say(sanitizeLine(`${done}/${cases.length * seeds} ${words}`));
  };
  try {
    const { folder } = log;
    const solve = createArmSolve({
      settings,
      shell,
      folder,
      openModel: () => openChatModel(settings, shell.env),
      solve: createSolve({ suite, computer, shell, settings, prompts }),
    });
    const budgetUsd = settings.budget ?? DEFAULT_BUDGET_USD;
    const spentOn = async (run: string): Promise<number> =>
      isChat(run) ? spentIn(chatLines(chatPath(folder, run))) : usdOf((await computer.run(run))?.microUsd ?? 0);
    return await evaluateSuite({ ...evaluated, budgetUsd, solve, spentOn, onResult });
  } finally {
    computer.close();
  }
}

/** Two processes would pay for the same cases. */
async function leaseOf(folder: string): Promise<{ release(): void }> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${folder} cannot hold the results: ${why}. Nothing was computed or paid.`, {
      exitCode: 2,
      remedy: "Give another folder with --out.",
      cause: error,
    });
  }
  const lock = createRunLock(folder);
  const lease = await lock.take("evaluation");
  if (lease) return lease;
  throw new UserError(`Process ${lock.holder("evaluation")?.pid} computes the evaluation in ${folder} already.`, {
    exitCode: 2,
    remedy: "Wait for it, or give another folder with --out.",
  });
}

function stoppedWith(reason: string, shell: Shell): number {
  const [words, code, next = "the same command continues it"] = STOPPED[reason] ?? [`a run stopped: ${reason}`, 6];
  const signal = shell.signals.received();
  shell.say(`Stopped before the end: ${words}. What is done is kept; ${next}.`);
  return signal ? exitCodeOfSignal(signal) : code;
}

const WITH_MORE = "continue with a larger --budget";

/** What happened, the exit code, and what to do next. */
const STOPPED: Record<string, [string, number, string?]> = {
  usd: ["the budget is used up", 7, WITH_MORE],
  over_reservation: ["the budget is used up", 7, WITH_MORE],
  daily: ["the daily ceiling is reached", 7],
  credentials: ["the model server refuses the key", 3],
  provider: ["the model server does not answer as it must", 4],
  rate_limited: ["the model server takes no calls for now", 9],
  evaluator_not_ready: ["the evaluator is not ready", 9],
  SIGINT: ["it was interrupted", 130],
  SIGTERM: ["it was terminated", 143],
  SIGHUP: ["the terminal closed", 129],
  interrupted: ["it was interrupted", 130],
};

const slug = (model: string): string => model.replace(/[^\w.-]+/g, "-").slice(0, 60);

const unable = (message: string, remedy: UserError["remedy"], exitCode = 2): UserError =>
  new UserError(`${message} Nothing was computed or paid.`, { exitCode, ...(remedy ? { remedy } : {}) });

const noModel = ({ name }: Suite): UserError =>
  unable("No model is set.", { command: "eval", args: [name, "--model", "<model>"] });

const notRehearsed = ({ name }: Suite): UserError =>
  unable(`The model ${REHEARSAL} plays recorded scenes and solves no case.`, {
    command: "eval",
    args: ["doctor", name],
    note: "it needs no model",
  });

const noKey = (server: ModelWish): UserError =>
  unable(`No key is set for the model server at ${hostOf(server)}.`, `Set ${keyNameOf(server)} in the environment.`, 3);

const notSealed = (how: string): UserError =>
  new UserError(`What a model writes is executed to check it, and ${how}. Nothing was computed or paid.`, {
    exitCode: 3,
    remedy: `${howToSeal(process.platform)}; or say --unsealed if it may all the same`,
  });
