/** Reserves the worst case of a call before it is made, under the ceilings; nothing else may be in flight. */
import type { Reservation } from "../core/budget.ts";
import { MICRO } from "../core/budget.ts";
import type { Condition, Table } from "../core/ports.ts";
import type { Run } from "../core/run.ts";
import { dueAfter } from "./claim.ts";
import { fenced, fenceOf, notCancelled, whyRefused } from "./fence.ts";
import { metaKey } from "./keys.ts";

/** Answers the run with the reservation in it; throws Fenced or Cancelled. */
export async function reserve(asked: {
  table: Table;
  now: number;
  run: Run;
  reservation: Reservation;
  invocationMs: number;
}): Promise<Run> {
  const { run, reservation } = asked;
  const set = {
    reservedMicroUsd: reservation.microUsd,
    reservedTokens: reservation.tokens,
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
  const written = await asked.table.transact([{ update: metaKey(run.id), set, when }]);
  if (written.ok) return { ...run, ...set };
  await whyRefused(asked.table, fenceOf(run));
  throw new Error(
    `Run ${run.id}: a reservation of ${reservation.microUsd} micro-dollars was refused under its own fence.`,
  );
}
