/** An attempt claims the run: it wins within the current epoch, and every earlier attempt is a zombie from then on. */
import { Cancelled, Fenced } from "../core/errors.ts";
import type { EventBody } from "../core/event.ts";
import { INVOCATION_MS } from "../core/limits.ts";
import type { Attributes, Table } from "../core/ports.ts";
import { isEnded, type Run } from "../core/run.ts";
import { eventItem, iso } from "./commit.ts";
import { fenced, notCancelled, readRun } from "./fence.ts";
import { ACTIVE_SHARD, metaKey } from "./keys.ts";

/** Between an invocation's end and the sweeper's look. */
const GRACE_MS = 120_000;
const TRIES = 5;

export const dueAfter = (now: number, milliseconds: number): string => iso(now + milliseconds + GRACE_MS);

/** Throws Fenced where the run is not this epoch's any more; `forEnding` claims a cancelled run too. */
export async function claim(asked: {
  table: Table;
  now: number;
  runId: string;
  epoch: number;
  forEnding?: boolean;
}): Promise<Run> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const run = await readRun(asked.table, asked.runId);
    if (!run || run.epoch !== asked.epoch || isEnded(run.status)) {
      throw new Fenced(`Run ${asked.runId} is not in epoch ${asked.epoch} any more.`);
    }
    if (run.cancelRequested && !asked.forEnding) throw new Cancelled(`Run ${run.id} was cancelled.`);
    const claimed = await tryClaim(asked.table, run, asked);
    if (claimed) return claimed;
  }
  throw new Fenced(`Run ${asked.runId} is being claimed by others.`);
}

/** Until it is fenced the attempt before this one may write: what it reserves or pays in between must not be lost. */
const ACCOUNTS = [
  "events",
  "calls",
  "failures",
  "microUsd",
  "inputTokens",
  "reservedMicroUsd",
  "reservedTokens",
] as const;

async function tryClaim(table: Table, run: Run, asked: { now: number; forEnding?: boolean }): Promise<Run | undefined> {
  const lost = writtenOff(run);
  const set = {
    attempt: run.attempt + 1,
    markedAt: asked.now,
    updatedAt: iso(asked.now),
    activeShard: ACTIVE_SHARD,
    dueAt: dueAfter(asked.now, INVOCATION_MS),
    // The attempt before this one died at some time since, or waited: only waiting for a person takes the mark away.
    activeMs: run.activeMs + Math.max(0, Math.round(asked.now - (run.markedAt ?? asked.now))),
    microUsd: run.microUsd + run.reservedMicroUsd,
    reservedMicroUsd: 0,
    reservedTokens: 0,
    inputTokens: run.inputTokens + run.reservedTokens,
    events: run.events + lost.length,
    // A Wait state is over.
    ...(run.status === "waiting" ? ({ status: run.instructions > 0 ? "running" : "planning" } as const) : {}),
  };
  const remove: (keyof Run)[] = run.status === "waiting" ? ["reason", "detail"] : [];
  const when = [
    ...fenced({ runId: run.id, epoch: run.epoch, attempt: run.attempt }),
    ...ACCOUNTS.map((attribute) => ({ attribute, is: run[attribute] })),
  ];
  if (!asked.forEnding) when.push(notCancelled);
  const events = lost.map((body, index) => ({
    put: eventItem(run.id, { ...body, seq: run.events + index + 1, at: iso(asked.now) }),
  }));
  const written = await table.transact([
    { update: metaKey(run.id), set: set as unknown as Attributes, remove, when },
    ...events,
  ]);
  if (!written.ok) return undefined;
  const after: Run = { ...run, ...set };
  for (const attribute of remove) delete after[attribute];
  return after;
}

/** The unsettled reservation of a dead attempt counts as spent: its call may have been answered and charged. */
function writtenOff(run: Run): EventBody[] {
  if (run.reservedMicroUsd === 0 && run.reservedTokens === 0) return [];
  return [
    {
      type: "written_off",
      microUsd: run.reservedMicroUsd,
      tokens: run.reservedTokens,
      why: "a call was in flight when the previous attempt ended",
    },
  ];
}
