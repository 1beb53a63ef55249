/** The registry: the turn protocol and the rules of attempts and epochs, stated once, over any table. */

import type { Clock, Table } from "../core/ports.ts";
import type { Draft } from "../core/program/program.ts";
import type { Reservation } from "../core/run/budget.ts";
import type { Day } from "../core/run/daily.ts";
import type { EventBody } from "../core/run/event.ts";
import type { DueNotification } from "../core/run/notification.ts";
import type { Run } from "../core/run/run.ts";
import type { FileEntry } from "../core/turn/turn.ts";
import { claim } from "./claim.ts";
import { type Commit, commit, type RunPatch } from "./commit.ts";
import { type Created, createRun, type Idempotency, loadEntries, storeProgram } from "./create.ts";
import { readLedger } from "./daily-ledger.ts";
import { beginDeletion, removeItems } from "./delete.ts";
import { change, nextEpoch } from "./epoch.ts";
import { fenceOf, readStored } from "./fence.ts";
import { createFinder } from "./find-runs.ts";
import { dropNotification, dueNotifications, takeNotification } from "./outbox.ts";
import { createReader } from "./read.ts";
import { reserve, tryReserve } from "./reserve.ts";

export type Registry = ReturnType<typeof createRegistry>;

export interface RegistryParts {
  table: Table;
  clock: Clock;
  /** Whether anybody is told of runs: then what is to be told is written with what it tells. */
  notifies?: boolean;
}

export const createRegistry = ({ table, clock, notifies = false }: RegistryParts) => {
  const at = () => ({ table, now: clock.now(), notifies });
  return {
    ...createReader(table),
    ...createFinder(table),

    create: (run: Run, idempotency?: Idempotency): Promise<Created> =>
      createRun(idempotency ? { ...at(), run, idempotency } : { ...at(), run }),

    // A computation: claim, then reserve, answered and committed for each turn.
    claim: (runId: string, epoch: number): Promise<Run> => claim({ ...at(), runId, epoch }),
    claimForEnding: (runId: string, epoch: number): Promise<Run> => claim({ ...at(), runId, epoch, forEnding: true }),
    reserve: (run: Run, reservation: Reservation, invocationMs: number): Promise<Run> =>
      reserve({ ...at(), run, reservation, invocationMs }),
    /** Under the ceiling of all runs together; undefined where too little of today's is left. */
    reserveToday: (
      run: Run,
      reservation: Reservation,
      within: { invocationMs: number; dailyMicroUsd: number },
    ): Promise<Run | undefined> => tryReserve({ ...at(), run, reservation, ...within }),
    today: (): Promise<Day> => readLedger(table, clock.now()),
    commit: (run: Run, what: Commit): Promise<Run> => commit({ ...at(), fence: fenceOf(run), run, commit: what }),
    loadEntries: (run: Run, entries: { folded: string; entry: FileEntry }[]): Promise<void> =>
      loadEntries(table, fenceOf(run), entries),
    storeProgram: (run: Run, draft: Draft): Promise<void> => storeProgram(table, fenceOf(run), draft),

    // From outside a computation.
    change: (run: Run, patch: RunPatch, events: EventBody[] = []): Promise<Run | undefined> =>
      change({ ...at(), run, patch, events }),
    beginEpoch: (run: Run, patch: RunPatch, events: EventBody[] = []): Promise<Run | undefined> =>
      change({ ...at(), run, patch: { ...nextEpoch(run, clock.now()), ...patch }, events }),

    // What is to be told: found, taken before it is sent, dropped after.
    dueNotifications: (range: { upTo: string; limit: number }): Promise<DueNotification[]> =>
      dueNotifications(table, range),
    takeNotification: (due: DueNotification): Promise<DueNotification | undefined> =>
      takeNotification(table, due, clock.now()),
    dropNotification: (due: DueNotification): Promise<void> => dropNotification(table, due),

    // A removal: the mark, then all items.
    stored: (runId: string): Promise<Run | undefined> => readStored(table, runId),
    beginDeletion: (run: Run): Promise<Run | undefined> => beginDeletion({ ...at(), run }),
    removeItems: (run: Run, goOn: () => boolean): Promise<boolean> => removeItems({ table, run, goOn }),
  };
};
