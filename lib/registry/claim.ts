/** An attempt claims the run: it wins within the current epoch, and every earlier attempt is a zombie from then on. */
import { Cancelled, Fenced } from "../core/errors.ts";
import { INVOCATION_MS } from "../core/limits.ts";
import type { Attributes, Table } from "../core/ports.ts";
import { isEnded, type Run, waitsForPerson } from "../core/run/run.ts";
import { eventItem, iso } from "./commit.ts";
import { ledgerEntry, transactWithLedger } from "./daily-ledger.ts";
import { fenced, notCancelled, readRun } from "./fence.ts";
import { ACTIVE_SHARD, metaKey } from "./keys.ts";
import { ACCOUNTS, chargeLostReservation, lostReservationEvents } from "./lost-reservation.ts";
import { outboxOf } from "./outbox.ts";

/** Between an invocation's end and the sweeper's look. */
const GRACE_MS = 120_000;
const TRIES = 5;

export const dueAfter = (now: number, milliseconds: number): string => iso(now + milliseconds + GRACE_MS);

interface Claiming {
  now: number;
  notifies: boolean;
  forEnding?: boolean;
}

/** Throws Fenced where the run is not this epoch's any more; `forEnding` claims a cancelled run too. */
export async function claim(asked: Claiming & { table: Table; runId: string; epoch: number }): Promise<Run> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const run = await readRun(asked.table, asked.runId);
    if (!run || run.epoch !== asked.epoch || isEnded(run.status) || isUnmoved(run)) {
      throw new Fenced(`Run ${asked.runId} is not in epoch ${asked.epoch} any more.`);
    }
    if (run.cancelRequested && !asked.forEnding) throw new Cancelled(`Run ${run.id} was cancelled.`);
    const claimed = await tryClaim(asked.table, run, asked);
    if (claimed) return claimed;
  }
  throw new Fenced(`Run ${asked.runId} is being claimed by others.`);
}

/** What waits for a person is moved on by that person alone, unless it is cancelled; a duplicate or late call moves nothing. */
const isUnmoved = (run: Run): boolean => waitsForPerson(run) && !run.cancelRequested;

async function tryClaim(table: Table, run: Run, asked: Claiming): Promise<Run | undefined> {
  const lost = lostReservationEvents(run);
  const set = {
    attempt: run.attempt + 1,
    markedAt: asked.now,
    updatedAt: iso(asked.now),
    activeShard: ACTIVE_SHARD,
    dueAt: dueAfter(asked.now, INVOCATION_MS),
    // The attempt before this one died at some time since, or waited: only waiting for a person takes the mark away.
    activeMs: run.activeMs + Math.max(0, Math.round(asked.now - (run.markedAt ?? asked.now))),
    ...chargeLostReservation(run),
    events: run.events + lost.length,
    // A Wait state is over.
    ...(run.status === "waiting" ? ({ status: run.instructions > 0 ? "running" : "planning" } as const) : {}),
  };
  const remove: (keyof Run)[] = run.status === "waiting" ? ["reason", "detail", "waitUntil"] : [];
  const when = [
    ...fenced({ runId: run.id, epoch: run.epoch, attempt: run.attempt }),
    ...ACCOUNTS.map((attribute) => ({ attribute, is: run[attribute] })),
  ];
  if (!asked.forEnding) when.push(notCancelled);
  const events = lost.map((body, index) => ({
    put: eventItem(run.id, { ...body, seq: run.events + index + 1, at: iso(asked.now) }),
  }));
  const after: Run = { ...run, ...set };
  const written = await transactWithLedger(
    table,
    [
      { update: metaKey(run.id), set: set as unknown as Attributes, remove, when },
      ...events,
      ...outboxOf({ ...asked, before: run, after }),
    ],
    ledgerEntry(run, after),
  );
  if (!written.ok) return undefined;
  for (const attribute of remove) delete after[attribute];
  return after;
}
