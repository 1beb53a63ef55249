/** Reserves the worst case of a call before it is made, under the ceilings; nothing else may be in flight. */

import type { Condition, Table, Write } from "../core/ports.ts";
import type { Reservation } from "../core/run/budget.ts";
import { MICRO } from "../core/run/budget.ts";
import type { Run } from "../core/run/run.ts";
import { dueAfter } from "./claim.ts";
import { dateOf, ledgerEntry, transactWithLedger } from "./daily-ledger.ts";
import { fenced, fenceOf, notCancelled, throwIfFenced } from "./fence.ts";
import { metaKey } from "./keys.ts";

export interface Reserving {
  table: Table;
  now: number;
  run: Run;
  reservation: Reservation;
  invocationMs: number;
}

/** Answers the run with the reservation in it; throws Fenced or Cancelled. */
export async function reserve(asked: Reserving): Promise<Run> {
  const reserved = await tryReserve(asked);
  return reserved ?? refused(asked);
}

function refused({ run, reservation }: Reserving): never {
  throw new Error(
    `Run ${run.id}: a reservation of ${reservation.microUsd} micro-dollars was refused under its own fence.`,
  );
}

/** `dailyMicroUsd`: what all runs may spend together today. Undefined where others left too little of it. */
export async function tryReserve(asked: Reserving & { dailyMicroUsd?: number }): Promise<Run | undefined> {
  const { run, reservation, dailyMicroUsd } = asked;
  const set = {
    reservedMicroUsd: reservation.microUsd,
    reservedTokens: reservation.tokens,
    reservedOn: dateOf(asked.now),
    dueAt: dueAfter(asked.now, asked.invocationMs),
  };
  const when: Condition[] = [
    ...fenced(fenceOf(run)),
    notCancelled,
    { attribute: "reservedMicroUsd", is: 0 },
    { attribute: "reservedTokens", is: 0 },
  ];
  const { usd } = run.options.budget;
  // The ceiling is asked for again where it counts: in the write itself.
  if (usd !== undefined) when.push({ attribute: "microUsd", atMost: Math.floor(usd * MICRO) - reservation.microUsd });
  const after: Run = { ...run, ...set };
  delete after.heldSince;
  const entry = ledgerEntry(run, after);
  if (entry && dailyMicroUsd !== undefined) {
    entry.when = [{ attribute: "microUsd", atMost: dailyMicroUsd - reservation.microUsd }];
  }
  const meta: Write = { update: metaKey(run.id), set, remove: ["heldSince"], when };
  const written = await transactWithLedger(asked.table, [meta], entry);
  if (written.ok) return after;
  await throwIfFenced(asked.table, fenceOf(run));
  return written.refused.includes(0) ? refused(asked) : undefined;
}
