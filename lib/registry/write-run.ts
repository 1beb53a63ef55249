/** The one transaction of a run: its record, its other items, events, ledger entry and notifications, all or nothing. */
import { defined } from "../core/defined.ts";
import { nearCeilings } from "../core/notification/notification.ts";
import type { Attributes, Condition, Item, Table, Write, Written } from "../core/ports.ts";
import type { Leasing } from "../core/run/day-shards.ts";
import type { Event, EventBody } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import { maskEveryText, maskSecrets } from "../core/text/secrets.ts";
import { isLeaseOver, ledgerWrites } from "./daily-ledger.ts";
import { eventKey, laneKey, metaKey } from "./keys.ts";
import { isOfPool, isPooled, ownConditions, type PoolChange, poolWrites, withoutAccounts } from "./lanes/pool.ts";
import { outboxOf } from "./outbox.ts";

export interface WriteContext {
  table: Table;
  now: number;
  /** Whether there is a channel for notifications: they are part of the transaction. */
  notifies: boolean;
  /** Absent: as it pays in an account. */
  leasing?: Leasing | undefined;
}

export interface RunWrite {
  /** The run as it was read. */
  run: Run;
  set: Partial<Run>;
  /** Wins over `set`. */
  remove?: readonly (keyof Run)[];
  when: Condition[];
  /** Turns, directory entries, instructions. */
  items?: Write[];
  events?: EventBody[];
  /** In the day's ledger. Absent: what the change of its accounts says. */
  ledger?: Write[];
  /** Of a run with several lanes: what the change means for the accounts of all. */
  pool?: PoolChange;
}

/** `refused`: places of the refused writes; that of the run's record is 0. `refusedByPool`: one is that of all lanes. */
export type RunWritten = { ok: true; run: Run } | (Extract<Written, { ok: false }> & { refusedByPool: boolean });

export async function writeRun(context: WriteContext, write: RunWrite): Promise<RunWritten> {
  const { table, now } = context;
  const { run: before, items = [], events = [] } = write;
  const numbered = events.map((body, index) => ({
    ...defined({ lane: before.lane }),
    ...body,
    seq: before.events + index + 1,
    at: iso(now),
  }));
  const set: Partial<Run> = { ...write.set, ...(events.length > 0 ? { events: before.events + events.length } : {}) };
  if (set.detail !== undefined) set.detail = maskSecrets(set.detail);
  if (context.notifies && before.lane === undefined) Object.assign(set, nearCeilings(before, { ...before, ...set }));
  const given: Run = { ...before, ...set };
  const over = isLeaseOver(given) ? (["lease"] as const) : [];
  const settled = before.atRisk && set.reservedTokens === 0 ? (["atRisk"] as const) : [];
  const remove = [...new Set([...(write.remove ?? []), ...over, ...settled])];
  for (const attribute of remove) delete set[attribute];
  const after: Run = { ...before, ...set };
  for (const attribute of remove) delete after[attribute];
  // What the day holds for the run is as it was read.
  const when = [...write.when, ...(after.lease === before.lease ? [] : [leaseIs(before)])];
  const ledger = write.ledger ?? ledgerWrites(before, after);
  const writes: Write[] = [
    ...recordWrites(before, { set: isPooled(before) ? withoutAccounts(set, before) : set, remove, when }),
    ...items,
    ...numbered.map((event) => ({ put: eventItem(before.id, event) })),
    ...outboxOf({ ...context, before, after }),
    ...ledger,
    ...(isPooled(before)
      ? poolWrites(before, after, write.pool ?? { turns: turnsGivenBack(before, after), when: [] })
      : []),
  ];
  const written = await table.transact(writes);
  if (written.ok) return { ok: true, run: after };
  return { ...written, refusedByPool: written.refused.some((place) => isOfPool(writes[place])) };
}

/** Of a call that brought no turn. */
export const turnsGivenBack = (before: Run, { reservedTokens }: Partial<Run>): number =>
  before.reservedTokens > 0 && reservedTokens === 0 ? -1 : 0;

interface RecordChange {
  set: Partial<Run>;
  remove: (keyof Run)[];
  when: Condition[];
}

/** A lane has a record of its own; that of the run numbers the events of all, and says whether it was cancelled. */
function recordWrites(run: Run, { set, remove, when }: RecordChange): Write[] {
  const own = isPooled(run) ? ownConditions(when) : when;
  if (run.lane === undefined)
    return [{ update: metaKey(run.id), set: set as unknown as Attributes, remove: [...remove], when: own }];
  const { events, dueAt: _due, activeShard: _shard, ...rest } = set;
  const isOfRun = (each: Condition): boolean =>
    "attribute" in each && ["events", "cancelRequested", "endedAt"].includes(each.attribute);
  const ofRun: Condition[] = [{ attribute: "epoch", is: run.epoch }, ...own.filter(isOfRun)];
  return [
    {
      update: laneKey(run.id, run.lane),
      set: rest as unknown as Attributes,
      remove: [...remove],
      when: own.filter((each) => !isOfRun(each)),
    },
    events === undefined
      ? { check: metaKey(run.id), when: ofRun }
      : { update: metaKey(run.id), set: { events }, when: ofRun },
  ];
}

const leaseIs = ({ lease }: Run): Condition =>
  lease ? { attribute: "lease", is: lease } : { attribute: "lease", missing: true };

export const iso = (now: number): string => new Date(now).toISOString();

export const eventItem = (runId: string, event: Event): Item => ({
  ...eventKey(runId, event.seq),
  ...(maskEveryText(event) as unknown as Attributes),
});
