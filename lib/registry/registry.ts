/** The registry: the turn protocol and the rules of attempts and epochs, stated once, over any table. */

import type { DueNotification } from "../core/notification/notification.ts";
import type { Clock, Table } from "../core/ports.ts";
import type { Draft } from "../core/program/program.ts";
import type { Reservation } from "../core/run/budget.ts";
import type { Day } from "../core/run/daily.ts";
import type { Leasing } from "../core/run/day-shards.ts";
import type { EventBody } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import type { FileEntry } from "../core/turn/turn.ts";
import { change, nextEpoch } from "./change.ts";
import { claim } from "./claim.ts";
import { type Commit, commit, type RunPatch } from "./commit.ts";
import { type Created, createRun, type Idempotency, loadEntries, type ProgramPart, storeProgram } from "./create.ts";
import { readLedger } from "./daily-ledger.ts";
import { beginDeletion, removeItems } from "./delete.ts";
import { fenceOf, readStored } from "./fence.ts";
import { createFinder } from "./find-runs.ts";
import { findCopyingFork, type Inheritance, putInherited } from "./inherit.ts";
import { createLaneRegistry } from "./lanes/lane-registry.ts";
import { dropNotification, dueNotifications, noteDelivered, takeNotification } from "./outbox.ts";
import { createProgramNames } from "./program-names.ts";
import { createReader } from "./read.ts";
import { type CallReservation, type DayLimits, noteRisk, reserve, reserveToday } from "./reserve.ts";
import { createSpanCursor } from "./span-cursor.ts";
import { UPGRADES, type Upgrades } from "./upgrade.ts";
import { createUpgradingTable } from "./upgrading-table.ts";
import type { WriteContext } from "./write-run.ts";

export type Registry = ReturnType<typeof createRegistry>;

export interface RegistryParts {
  table: Table;
  clock: Clock;
  /** Whether a webhook or EventBridge is notified of what happens to runs. */
  notifies?: boolean;
  /** How much of a day under a ceiling runs take at a time. Absent: as it pays in an account. */
  leasing?: Leasing | undefined;
  /** Absent: those of this version. */
  upgrades?: Upgrades;
}

export const createRegistry = ({
  table: stored,
  clock,
  notifies = false,
  leasing,
  upgrades = UPGRADES,
}: RegistryParts) => {
  const table = createUpgradingTable(stored, upgrades);
  const context = (): WriteContext => ({ table, now: clock.now(), notifies, leasing });
  return {
    ...createReader(table),
    ...createFinder(table),
    ...createLaneRegistry(table, context),
    ...createProgramNames(table),
    ...createSpanCursor(table),
    create: (run: Run, idempotency?: Idempotency): Promise<Created> => createRun(context(), run, idempotency),

    // A computation: claim, then reserve, answered and committed for each turn.
    claim: (runId: string, epoch: number): Promise<Run> => claim(context(), { runId, epoch }),
    claimForEnding: (runId: string, epoch: number): Promise<Run> => claim(context(), { runId, epoch, forEnding: true }),
    reserve: (run: Run, reservation: CallReservation, invocationMs: number): Promise<Run> =>
      reserve(context(), run, { reservation, invocationMs }),
    /** Within the daily budget of all runs. Undefined: too little is left of today's. */
    reserveToday: (run: Run, reservation: CallReservation, limits: DayLimits): Promise<Run | undefined> =>
      reserveToday(context(), run, { reservation, ...limits }),
    /** What the call in flight has cost at most. Answers false where another attempt has the run. */
    noteRisk: (run: Run, atRisk: Reservation): Promise<boolean> => noteRisk({ table }, run, atRisk),
    today: (): Promise<Day> => readLedger(table, clock.now()),
    commit: (run: Run, change: Commit): Promise<Run> => commit(context(), run, change),
    loadEntries: (run: Run, entries: { folded: string; entry: FileEntry }[]): Promise<void> =>
      loadEntries(table, fenceOf(run), entries),
    putInherited: (run: Run, inheritance: Inheritance): Promise<void> => putInherited(table, fenceOf(run), inheritance),
    storeProgram: (run: Run, draft: Draft, part: ProgramPart = {}): Promise<void> =>
      storeProgram(table, fenceOf(run), { draft, ...part }),

    // From outside a computation.
    change: (run: Run, patch: RunPatch, events: EventBody[] = []): Promise<Run | undefined> =>
      change(context(), run, { patch, events }),
    beginEpoch: (run: Run, patch: RunPatch, events: EventBody[] = []): Promise<Run | undefined> =>
      change(context(), run, { patch: { ...nextEpoch(run, clock.now()), ...patch }, events }),

    // Notifications: found, taken before they are sent, dropped after.
    dueNotifications: (range: { upTo: string; limit: number }): Promise<DueNotification[]> =>
      dueNotifications(table, range),
    takeNotification: (due: DueNotification): Promise<DueNotification | undefined> =>
      takeNotification(table, due, clock.now()),
    noteDelivered: (due: DueNotification, delivered: string[]): Promise<void> => noteDelivered(table, due, delivered),
    dropNotification: (due: DueNotification): Promise<void> => dropNotification(table, due),

    // A removal: the mark, then all items.
    stored: (runId: string): Promise<Run | undefined> => readStored(table, runId),
    /** A fork that still copies from the run, whose bytes must stay until then. */
    copyingFork: (runId: string): Promise<Run | undefined> => findCopyingFork(table, runId),
    beginDeletion: (run: Run): Promise<Run | undefined> => beginDeletion(context(), run),
    removeItems: (run: Run, goOn: () => boolean): Promise<boolean> => removeItems({ table, run, goOn }),
  };
};
