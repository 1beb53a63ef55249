/** The record of a lane: the run as it was when the lane took its instruction, with a cursor and a fence of its own. */
import type { Attributes, Item, Table } from "../../core/ports.ts";
import type { Run } from "../../core/run/run.ts";
import { laneKey } from "../keys.ts";
import { runOf } from "../parse-run.ts";

/** By these the indexes find runs, and a lane is none. */
const INDEXED = ["owner", "createdAt", "activeShard", "dueAt"] as const;
/** Of the run as it is now, not as it was. */
const CURRENT = ["owner", "createdAt", "options", "events"] as const;
/** What the run itself is in the middle of. */
const OWN_OF_RUN = [
  ...([
    "reason",
    "detail",
    "waitUntil",
    "evaluatorAwaitedSince",
    "hint",
    "skipping",
    "splitting",
    "split",
    "ending",
  ] as const),
  ...(["question", "answer", "walk", "make", "failed", "renewals", "reservedOn", "reservedShard", "lease"] as const),
  ...(["atRisk", "neededMicroUsd", "heldSince", "cancelRequested", "outputDigest", "smoke", "nearCeilings"] as const),
];

/** With which a lane begins: nothing of what the run itself is doing. */
export function laneItem(run: Run, patch: Partial<Run> & { lane: number }): Item {
  const record: Record<string, unknown> = { ...run, ...patch };
  for (const name of [...INDEXED, ...OWN_OF_RUN]) if (!(name in patch)) delete record[name];
  const { format: _format, ...rest } = record;
  return { ...laneKey(run.id, patch.lane), ...(rest as Attributes) };
}

/** The lane's view of the run. Undefined: it has never had an instruction. */
export async function readLane(table: Table, run: Run, lane: number): Promise<Run | undefined> {
  const item = await table.get(laneKey(run.id, lane));
  return item && laneOf(item, run);
}

/** Of its stored record. */
export function laneOf(item: Item, run: Run): Run {
  const { sk: _sk, pk, format: _format, ...own } = item;
  const current = Object.fromEntries(CURRENT.map((name) => [name, run[name]]));
  const accounts = (({ turns, calls, microUsd, inputTokens, cachedTokens, outputTokens }) => ({
    turns,
    calls,
    microUsd,
    inputTokens,
    cachedTokens,
    outputTokens,
  }))(run);
  const cancelled = run.cancelRequested ? { cancelRequested: true } : {};
  return runOf({
    ...own,
    pk,
    sk: "META",
    format: run.format,
    ...current,
    ...accounts,
    ...cancelled,
  } as unknown as Item);
}
