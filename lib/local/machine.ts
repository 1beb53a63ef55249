/** The machine on one computer: the composition root that joins the handlers to SQLite, disk, engine and sandbox. */
import { join } from "node:path";
import { interrupt } from "../control/change-run.ts";
import { type Deleted, deleteRun, finishDeletion, refuseComputed } from "../control/delete-run.ts";
import { type Submission, type Submitted, submit } from "../control/submit.ts";
import type { World } from "../control/world.ts";
import { UserError } from "../core/errors.ts";
import type { Clock, Evaluator, FileStore, Model } from "../core/ports.ts";
import type { PromptPack } from "../core/prompt.ts";
import { isAsleep, isEnded, type Run } from "../core/run.ts";
import { ulid } from "../core/ulid.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import { createRegistry, type Registry } from "../registry/registry.ts";
import { type Changing, createChanging, unlessBusy } from "./changing.ts";
import { type Asleep, type ComputeEpochs, createComputeEpochs } from "./compute.ts";
import { createDiskFiles } from "./disk-files.ts";
import { createGrips, type Grips } from "./grips.ts";
import { makeHome } from "./home.ts";
import { projectDefinition } from "./project-definition.ts";
import { type Replayed, replayRun } from "./replay.ts";
import { createRunLock, lockAlone } from "./run-lock.ts";
import { type LocalTable, openSqliteTable } from "./sqlite-table.ts";
import { isFull } from "./storage-errors.ts";
import { systemClock } from "./system-clock.ts";

/** One person, one computer. */
export const LOCAL_OWNER = "local";

export interface MachineParts {
  home: string;
  model: (run: Run) => Promise<Model>;
  evaluator: Evaluator;
  /** The most that all runs of this home may spend together on a UTC date. */
  dailyUsd?: number | undefined;
  clock?: Clock;
  random?: () => number;
  /** Loops of one execution before the next epoch takes over. */
  loopLimit?: number;
  /** Absent: SQLite and a folder, both in `home`. */
  storage?: Storage;
  /** Throws away what was only laid out for a run that is removed. */
  forget?: (runId: string) => Promise<void>;
}

export interface Storage {
  table: LocalTable;
  files: FileStore;
}

export interface Machine extends Changing {
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
  replay(runId: string, pack?: PromptPack): Promise<Replayed>;
  /** Removes a run that nobody computes, with all that it made. */
  remove(runId: string): Promise<Deleted>;
  /** Whether a live process computes the run. */
  isAlive(runId: string): boolean;
  /**
   * Runs whose process died are noted as interrupted, and half removed ones removed. Every command does this first. Whoever computes runs later than it
   * submits them spares what it holds.
   */
  sweep(options?: { spareHeld: boolean }): Promise<Swept>;
  close(): void;
}

/** `no room`: the disk is full, so that not all could be noted. */
export type Swept = "swept" | "no room";

/** By the project's own state machine. */
export const createProjectEpochs = (loopLimit?: number): ComputeEpochs =>
  createComputeEpochs(projectDefinition(loopLimit));

export function openMachine(parts: MachineParts): Machine {
  const { home, clock = systemClock, random = Math.random } = parts;
  makeHome(home);
  const { table, files } = parts.storage ?? storageIn(home);
  const registry = createRegistry({ table, clock });
  const lock = createRunLock(join(home, "locks"));
  const grips = createGrips(table.isAlone ? lockAlone(lock) : lock);
  const world: World = {
    registry,
    files,
    clock,
    random,
    model: parts.model,
    evaluator: parts.evaluator,
    dailyUsd: parts.dailyUsd,
  };
  const computeEpochs = createProjectEpochs(parts.loopLimit);
  const removing = createRemoving({ world, grips, isAlone: table.isAlone === true, forget: parts.forget });

  return {
    home,
    registry,
    files,
    world,
    ...createSubmitting(world, grips),
    ...createChanging(world, grips),
    compute: (runId, signal, asleep) =>
      unlessBusy(
        runId,
        grips.whileComputing(runId, async () => {
          await computeEpochs(world, runId, { signal, ...(asleep ? { asleep } : {}) });
          if (signal.aborted) await interrupt(world, runId, clock.now());
          return present(registry, runId);
        }),
      ),
    replay: async (runId, pack) => {
      const replaying = { world, compute: computeEpochs, run: await present(registry, runId) };
      return replayRun(pack ? { ...replaying, pack } : replaying);
    },
    isAlive: grips.isComputed,
    remove: (runId) => removing.remove(runId),
    async sweep(options) {
      const isAlive = options?.spareHeld ? grips.isGripped : grips.isComputed;
      return withRoom([removing.finish, () => sweep(world, isAlive)]);
    },
    close() {
      grips.letGo();
      table.close();
    },
  };
}

function createSubmitting(world: World, grips: Grips): Pick<Machine, "submit" | "submitOnce"> {
  const submitOnce: Machine["submitOnce"] = async (submission) => {
    const id = ulid(world.clock.now(), world.random);
    const owned = { ...submission, id, owner: LOCAL_OWNER };
    const answer = await unlessBusy(
      id,
      grips.keepAfter(id, () => submit(world, owned)),
    );
    if ("conflict" in answer || answer.run.id !== id) await grips.whileComputing(id, async () => {});
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

const always = (): boolean => true;
/** Whether a process still removes it says its lock, and not how long ago it began. */
const ANY_TIME = "9999";

interface Removing {
  world: World;
  grips: Grips;
  isAlone: boolean;
  forget: MachineParts["forget"];
}

function createRemoving({ world, grips, isAlone, forget = async () => {} }: Removing) {
  const { registry, files } = world;
  /** Died, and there was no room to note that. */
  const isUnnoted = (run: Run): boolean => isAlone && isUnderWay(run) && !grips.isGripped(run.id);
  const removeGripped = async (runId: string, isDead: boolean): Promise<Deleted> => {
    if (isDead) await interrupt(world, runId);
    const deleted = await deleteRun(world, runId, always);
    await forget(runId);
    return deleted;
  };
  return {
    async remove(runId: string): Promise<Deleted> {
      const run = await registry.stored(runId);
      const isDead = run !== undefined && isUnnoted(run);
      if (run && !isDead) refuseComputed(run);
      const remove = async (): Promise<Deleted> => {
        try {
          return await removeGripped(runId, isDead);
        } catch (error) {
          if (!isFull(error)) throw error;
          // There is no room for the mark that goes first elsewhere: its files make some.
          await forget(runId);
          await files.removeAll(fileStoreKeys(runId).root, always);
          return removeGripped(runId, isDead).catch((still: unknown) => {
            throw isFull(still) ? stillFull(runId, still) : still;
          });
        }
      };
      return unlessBusy(runId, grips.whileRemoving(runId, remove));
    },
    async finish(): Promise<void> {
      for (const id of await registry.halfDeleted({ upTo: ANY_TIME, limit: SWEPT })) {
        await grips.whileRemoving(id, async () => {
          const run = await registry.stored(id);
          if (run?.deleting) await finishDeletion(world, run, always);
          await forget(id);
        });
      }
    },
  };
}

const stillFull = (runId: string, cause: unknown): UserError =>
  new UserError(`The files of run ${runId} are removed, but its record is not: the disk is full all the same.`, {
    exitCode: 6,
    remedy: `Free some space on that disk; where l2mac list still shows it then: l2mac delete ${runId} --yes`,
    cause,
  });

const SWEPT = 200;

async function withRoom(works: (() => Promise<void>)[]): Promise<Swept> {
  let swept: Swept = "swept";
  for (const work of works) {
    await work().catch((error: unknown) => {
      if (!isFull(error)) throw error;
      swept = "no room";
    });
  }
  return swept;
}

async function sweep(world: World, isAlive: (runId: string) => boolean): Promise<void> {
  const { runs } = await world.registry.runs({ owner: LOCAL_OWNER, limit: SWEPT });
  for (const run of runs) if (isUnderWay(run) && !isAlive(run.id)) await interrupt(world, run.id);
}

/** In computation, or asleep in it until a server takes calls again; or still to be ended, by whoever died before. */
const isUnderWay = (run: Run): boolean =>
  run.status === "waiting" ? isAsleep(run) || run.cancelRequested === true : !isEnded(run.status);

function storageIn(home: string): Storage {
  return { table: openSqliteTable(join(home, "registry.sqlite")), files: createDiskFiles(home) };
}

async function present(registry: Registry, runId: string): Promise<Run> {
  const run = await registry.run(runId);
  if (!run) throw new UserError(`Run ${runId} was deleted meanwhile.`, { exitCode: 2, remedy: "l2mac list" });
  return run;
}
