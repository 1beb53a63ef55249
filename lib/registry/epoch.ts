/** The next epoch of a run: by compare-and-set, before the execution that computes it is started. */

import { INVOCATION_MS } from "../core/limits.ts";
import type { Attributes, Condition, Table, Write } from "../core/ports.ts";
import type { EventBody } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import { dueAfter } from "./claim.ts";
import { eventItem, iso, type RunPatch } from "./commit.ts";
import { ledgerEntry, transactWithLedger } from "./daily-ledger.ts";
import { fenced, fenceOf } from "./fence.ts";
import { ACTIVE_SHARD, metaKey } from "./keys.ts";
import { ACCOUNTS } from "./lost-reservation.ts";
import { outboxOf } from "./outbox.ts";

/** Changes a run from outside a computation. Answers undefined where the run moved on meanwhile: look again. */
export async function change(asked: {
  table: Table;
  now: number;
  notifies: boolean;
  run: Run;
  patch: RunPatch;
  events: EventBody[];
}): Promise<Run | undefined> {
  const { run, events } = asked;
  const { remove = [], ...patch } = asked.patch;
  const set: Partial<Run> = { ...patch, updatedAt: iso(asked.now), events: run.events + events.length };
  for (const attribute of remove) delete set[attribute];
  const when: Condition[] = [
    ...fenced(fenceOf(run)),
    { attribute: "events", is: run.events },
    { attribute: "status", is: run.status },
    ...ACCOUNTS.filter((attribute) => attribute in patch).map((attribute) => ({ attribute, is: run[attribute] })),
  ];
  const after: Run = { ...run, ...set };
  const writes: Write[] = [
    { update: metaKey(run.id), set: set as unknown as Attributes, remove, when },
    ...events.map((body, index) => ({
      put: eventItem(run.id, { ...body, seq: run.events + index + 1, at: iso(asked.now) }),
    })),
  ];
  const entry = ledgerEntry(run, after);
  for (const attribute of remove) delete after[attribute];
  writes.push(...outboxOf({ ...asked, before: run, after }));
  const written = await transactWithLedger(asked.table, writes, entry);
  return written.ok ? after : undefined;
}

/** What every new epoch sets: from here on, attempts of the old one are fenced. */
export const nextEpoch = (run: Run, now: number): RunPatch => ({
  epoch: run.epoch + 1,
  activeShard: ACTIVE_SHARD,
  dueAt: dueAfter(now, INVOCATION_MS),
});
