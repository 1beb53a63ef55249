/** The machine on one computer: the composition root that joins the handlers to SQLite, disk, engine and sandbox. */
import { join } from "node:path";
import type { Telemetry } from "../../packages/telemetry/index.ts";
import type { DeletionResult } from "../control/lifecycle/delete-run.ts";
import type { Submission, Submitted } from "../control/lifecycle/submit.ts";
import type { World } from "../control/world.ts";
import { UserError } from "../core/errors.ts";
import type { GitServers } from "../core/git/servers.ts";
import type { Webhook } from "../core/notification/webhook.ts";
import type { AnswerUnderway, Clock, Evaluator, FileStore, Model } from "../core/ports.ts";
import { evaluatedAs, runEvaluatedAs } from "../core/program/ahead.ts";
import type { PromptPack } from "../core/prompt/prompt.ts";
import type { ManifestSigner } from "../core/provenance/signer.ts";
import { isEnded, lanesOf, type Run } from "../core/run/run.ts";
import { ulid } from "../core/run/ulid.ts";
import type { TurnAddress } from "../core/turn/turn-address.ts";
import { projectVersion } from "../files/project-files.ts";
import { readProjectFont } from "../files/project-fonts.ts";
import { createDiskFiles } from "../host/disk-files.ts";
import { makeHome } from "../host/home.ts";
import { createRunLeases, type RunLeases } from "../host/run-leases.ts";
import { createRunLock, lockAlone } from "../host/run-lock.ts";
import { type LocalTable, openSqliteTable } from "../host/sqlite-table.ts";
import { systemClock } from "../host/system-clock.ts";
import { createRegistry, type Registry } from "../registry/registry.ts";
import { createAnswersUnderway } from "./answers-underway.ts";
import { createRunChanges, onceFree, type RunChanges } from "./change-run.ts";
import type { Asleep, ComputeEpochs } from "./compute.ts";
import { createRunDeletion } from "./delete-run.ts";
import { whileKept } from "./kept-records.ts";
import { interruptRun, type SweepResult, sweepRuns, withRoom } from "./recover-runs.ts";
import type { ReplayResult, SentRequest } from "./replay.ts";
import { createSpanLoop, type SpanLoop } from "./span-loop.ts";
import { createWebhookLoop } from "./webhook-loop.ts";

/** One person, one computer. */
export const LOCAL_OWNER = "local";

export interface MachineParts {
  home: string;
  model: (run: Run) => Promise<Model>;
  evaluator: Evaluator;
  /** The most that all runs of this home may spend together on a UTC date. */
  dailyUsd?: number | undefined;
  /** Notified of runs. */
  webhook?: Webhook | undefined;
  /** Where the spans of runs go. */
  telemetry?: Telemetry | undefined;
  announce?: (text: string) => void;
  /** Servers of Git repositories. */
  git?: GitServers | undefined;
  /** Signs what runs deliver. */
  signer?: ManifestSigner | undefined;
  clock?: Clock;
  random?: () => number;
  /** Loops of one execution before the next epoch takes over. */
  loopLimit?: number;
  /** Absent: SQLite and a folder, both in `home`. */
  storage?: Storage;
  /** Throws away what was only laid out for a run that is removed. */
  forget?: (runId: string) => Promise<void>;
  /** Cleans what can be made again; `isNeeded`: the run may still ask for what is laid out for it. */
  tidy?: (isNeeded: (runId: string) => Promise<boolean>) => Promise<void>;
}

export interface Storage {
  table: LocalTable;
  files: FileStore;
}

export interface Machine extends RunChanges {
  home: string;
  registry: Registry;
  files: FileStore;
  world: World;
  submit(submission: Omit<Submission, "owner">): Promise<Run>;
  /** The same idempotency key submits once, however often it comes. */
  submitOnce(submission: Omit<Submission, "owner" | "id">): Promise<Submitted>;
  /** Computes the run until its execution ends. Aborting the signal keeps the run, waiting to be resumed. */
  compute(runId: string, signal: AbortSignal, asleep?: Asleep): Promise<Run>;
  /** Executes the run again on a scratch copy, with the stored answers and verdicts and no model call. */
  replay(runId: string, pack?: PromptPack): Promise<ReplayResult>;
  /** What the model was asked at turns, by their addresses, such as `3.2`. */
  requests(runId: string, wanted: TurnAddress[]): Promise<Map<string, SentRequest>>;
  /** Removes a run that is not in computation, with all that it made. */
  remove(runId: string): Promise<DeletionResult>;
  /** Whether a live process computes the run. */
  isAlive(runId: string): boolean;
  /** What a model is writing for the run now, where this process computes it and the answer is a stream. */
  answerUnderway(runId: string): AnswerUnderway | undefined;
  /**
   * Marks runs whose process died as interrupted, and finishes deletions. Every command does this first. A process that
   * computes runs later than it submits them spares what it holds.
   */
  sweep(options?: { spareHeld: boolean }): Promise<SweepResult>;
  close(): void;
}

/** What computes is most of the program: it is loaded by the first run that is computed. */
export const createProjectEpochs =
  (loopLimit?: number): ComputeEpochs =>
  async (...computed) => {
    const { projectDefinition } = await import("./project-definition.ts");
    return (await import("./compute.ts")).createComputeEpochs(projectDefinition(loopLimit))(...computed);
  };

/** Looking again costs nothing here. */
const PACE = { laneIdleSeconds: 1, riskHoldsMs: 2_000 };

export function openMachine(parts: MachineParts): Machine {
  const { home, clock = systemClock, random = Math.random } = parts;
  makeHome(home);
  const { table, files } = parts.storage ?? storageIn(home);
  const registry = createRegistry({ table, clock, notifies: parts.webhook !== undefined });
  const loops = createLoops(parts, registry, clock);
  const lock = createRunLock(join(home, "locks"));
  const leases = createRunLeases(table.isAlone ? lockAlone(lock) : lock);
  const underway = createAnswersUnderway();
  const world: World = {
    registry,
    files,
    clock,
    random,
    model: parts.model,
    evaluator: parts.evaluator,
    ...(parts.git ? { git: parts.git } : {}),
    signer: parts.signer,
    version: projectVersion(),
    readFont: readProjectFont,
    dailyUsd: parts.dailyUsd,
    pace: PACE,
    showProgress: underway.show,
  };
  const computeEpochs = releasing(createProjectEpochs(parts.loopLimit));
  const played = async (runId: string) => ({ world, compute: computeEpochs, run: await present(registry, runId) });
  const deletion = createRunDeletion({ world, leases, isAlone: table.isAlone === true, forget: parts.forget });

  return {
    home,
    registry,
    files,
    world,
    ...createSubmitting(world, leases),
    ...createRunChanges(world, leases),
    compute: (runId, signal, asleep) =>
      loops.around(runId, signal, () =>
        onceFree(clock, runId, () =>
          leases.whileComputing(runId, () =>
            whileKept({ table, files }, runId, async () => {
              await computeEpochs(world, runId, { signal, ...(asleep ? { asleep } : {}) });
              if (signal.aborted) await interruptRun(world, runId, { until: clock.now() });
              return present(registry, runId);
            }),
          ),
        ),
      ),
    replay: async (runId, pack) => (await import("./replay.ts")).replayRun({ ...(await played(runId)), pack }),
    requests: async (runId, wanted) => (await import("./replay.ts")).requestsAt(await played(runId), wanted),
    isAlive: leases.isComputed,
    answerUnderway: underway.of,
    remove: (runId) => deletion.remove(runId),
    async sweep(options) {
      if (options?.spareHeld) loops.stay();
      const isAlive = options?.spareHeld ? leases.isHeld : leases.isComputed;
      const tidy = async () => parts.tidy?.((name) => isUnended(runEvaluatedAs(name), registry, leases));
      return withRoom([deletion.finish, () => sweepRuns(world, { owner: LOCAL_OWNER, isAlive }), tidy]);
    },
    close() {
      loops.stop();
      leases.releaseAll();
      table.close();
    },
  };
}

/** What is sent of runs beside their computation. */
function createLoops({ webhook, telemetry, announce }: MachineParts, registry: Registry, clock: Clock): SpanLoop {
  const notices = createWebhookLoop({ registry, clock, webhook });
  const spans = createSpanLoop({ registry, telemetry, version: projectVersion(), announce: announce ?? (() => {}) });
  return {
    around: (runId, signal, compute) => notices.around(signal, () => spans.around(runId, signal, compute)),
    stay() {
      notices.stay();
      spans.stay();
    },
    stop() {
      notices.stop();
      spans.stop();
    },
  };
}

/** What the evaluator keeps ready for the run goes when the computation ends, which does not wait for that. */
const releasing =
  (compute: ComputeEpochs): ComputeEpochs =>
  async (world, runId, options) => {
    try {
      return await compute(world, runId, options);
    } finally {
      await releaseAll(world, runId).catch(() => {});
    }
  };

async function releaseAll({ evaluator, registry }: World, runId: string): Promise<void> {
  const run = await registry.run(runId);
  const lanes = Array.from({ length: run ? lanesOf(run) - 1 : 0 }, (_, index) => evaluatedAs(runId, index + 2));
  for (const name of [runId, ...lanes]) evaluator.release?.(name).catch(() => {});
}

function createSubmitting(world: World, leases: RunLeases): Pick<Machine, "submit" | "submitOnce"> {
  const submitOnce: Machine["submitOnce"] = async (submission) => {
    const { submit } = await import("../control/lifecycle/submit.ts");
    const id = ulid(world.clock.now(), world.random);
    const owned = { ...submission, id, owner: LOCAL_OWNER };
    const answer = await onceFree(world.clock, id, () => leases.holdAfter(id, () => submit(world, owned)));
    if ("conflict" in answer || answer.run.id !== id) await leases.whileComputing(id, async () => {});
    return answer;
  };
  return {
    submitOnce,
    async submit(submission) {
      const answer = await submitOnce(submission);
      if ("conflict" in answer) throw new Error("A run without an idempotency key cannot conflict.");
      return answer.run;
    },
  };
}

async function isUnended(runId: string, registry: Registry, leases: RunLeases): Promise<boolean> {
  if (leases.isHeld(runId)) return true;
  const run = await registry.run(runId);
  return run !== undefined && !isEnded(run.status);
}

export function storageIn(home: string): Storage {
  makeHome(home);
  return { table: openSqliteTable(join(home, "registry.sqlite")), files: createDiskFiles(home) };
}

async function present(registry: Registry, runId: string): Promise<Run> {
  const run = await registry.run(runId);
  if (!run)
    throw new UserError(`Run ${runId} was deleted meanwhile.`, { exitCode: 2, remedy: { command: "list", args: [] } });
  return run;
}
