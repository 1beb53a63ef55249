/** Creates a run and its idempotency item in one transaction; loads large inputs in batches before it is ready. */
import { ITEMS_PER_BATCH, SUBMISSION_MS, TRANSACTION_BYTES } from "../core/limits.ts";
import type { Attributes, Condition, Item, Table, Write } from "../core/ports.ts";
import { type Draft, type Instruction, instructionOf } from "../core/program/program.ts";
import type { Run } from "../core/run/run.ts";
import { itemBytes } from "../core/store/transaction-rules.ts";
import type { FileEntry } from "../core/turn/turn.ts";
import { dueAfter } from "./claim.ts";
import { compareAndSet } from "./compare-and-set.ts";
import { type Fence, fenced, notCancelled, readRun, throwIfFenced } from "./fence.ts";
import {
  activeShardOf,
  fileKey,
  forkKey,
  idempotencyKey,
  instructionKey,
  metaKey,
  requirementKey,
  runKey,
} from "./keys.ts";
import { isPooled, newPool } from "./lanes/pool.ts";
import { eventItem, iso, type WriteContext } from "./write-run.ts";

export interface Idempotency {
  caller: string;
  key: string;
  /** Of the request's body: the same key with another body is refused. */
  bodyHash: string;
}

export type Created = { run: Run; isNew: boolean } | { conflict: "another_body" };

export async function createRun({ table, now }: WriteContext, draft: Run, idempotency?: Idempotency): Promise<Created> {
  // If the submitter dies before the first epoch, the sweeper finds the run.
  const dueAt = dueAfter(now, SUBMISSION_MS);
  const key = idempotency && idempotencyKey(idempotency.caller, idempotency.key);
  const activeShard = activeShardOf(draft.id);
  const run: Run = { ...draft, ...(key ? { submittedBy: key.pk } : {}), events: 1, activeShard, dueAt };
  const writes: Write[] = [
    { put: { ...metaKey(run.id), ...(run as unknown as Attributes) }, when: [{ item: "absent" }] },
    { put: eventItem(run.id, { type: "created", task: run.title, seq: 1, at: iso(now) }) },
    ...forkMark(run),
    ...(isPooled(run) ? [{ put: newPool(run.id) }] : []),
  ];
  if (!key) {
    if ((await table.transact(writes)).ok) return { run, isNew: true };
    throw new Error(`Run ${run.id} exists already.`);
  }
  const mark = { ...key, runId: run.id, bodyHash: idempotency.bodyHash };
  let when: Condition = { item: "absent" };
  return compareAndSet<Created>(
    async () => {
      const written = await table.transact([...writes, { put: mark, when: [when] }]);
      if (written.ok) return { run, isNew: true };
      const earlier = await table.get(key);
      const existing = earlier && (await readRun(table, String(earlier.runId)));
      if (existing && earlier.bodyHash !== idempotency.bodyHash) return { conflict: "another_body" };
      if (existing) return { run: existing, isNew: false };
      // Its run was deleted, or is being deleted: the key is free again.
      when = earlier ? { attribute: "runId", is: String(earlier.runId) } : { item: "absent" };
      return undefined;
    },
    () => new Error("The runs under one idempotency key keep coming and going; nothing was written."),
  );
}

/** While the fork copies, this mark keeps the bytes of the other run, even if that run is deleted. */
const forkMark = ({ id, forkedFrom }: Run): Write[] =>
  forkedFrom ? [{ put: { ...forkKey(forkedFrom.run, id), runId: id } }] : [];

/** The files that a run starts with: fenced batch by batch, and safe to repeat. */
export async function loadEntries(
  table: Table,
  fence: Fence,
  entries: { folded: string; entry: FileEntry }[],
): Promise<void> {
  const items = entries.map(({ folded, entry }) => ({ ...fileKey(fence.runId, folded), ...entry }));
  const check = { check: metaKey(fence.runId), when: [...fenced(fence), notCancelled] };
  if (!(await putInBatches(table, items, check))) await throwIfFenced(table, fence);
}

export interface ProgramPart {
  /** The number of the first instruction that is stored. */
  from?: number;
  /** Of the step that was split, whose parts these are. */
  place?: Pick<Instruction, "frames" | "isPart"> | undefined;
}

/** Replaces the program from this instruction on, fenced batch by batch; it holds only once META records its length. */
export async function storeProgram(
  table: Table,
  fence: Fence,
  { draft, from = 1, place = {} }: ProgramPart & { draft: Draft },
): Promise<void> {
  const instructions = draft.instructions.slice(from - 1).map((text, index) => ({
    ...instructionKey(fence.runId, from + index),
    ...({ ...instructionOf(text, from + index), ...place } as unknown as Attributes),
  }));
  const requirements = draft.requirements.map((requirement) => ({
    ...requirementKey(fence.runId, requirement.id),
    ...requirement,
  }));
  const check = { check: metaKey(fence.runId), when: [...fenced(fence), notCancelled] };
  const items = [...requirements, ...instructions];
  const written =
    (await putInBatches(table, items, check)) &&
    (await removeOthers(table, { ...fence, items, check, last: from + instructions.length - 1 }));
  if (!written) await throwIfFenced(table, fence);
}

async function removeOthers(
  table: Table,
  { runId, items, check, last }: { runId: string; items: Item[]; check: Write; last: number },
): Promise<boolean> {
  const pk = runKey(runId);
  const kept = new Set(items.map(({ sk }) => sk));
  const found = [
    ...(await table.query(pk, { prefix: "REQ#" })),
    ...(await table.query(pk, { prefix: "INSTR#", ...(last > 0 ? { after: instructionKey(runId, last).sk } : {}) })),
  ];
  const others = found.filter(({ sk }) => !kept.has(sk)).map(({ sk }) => ({ delete: { pk, sk } }));
  for (let start = 0; start < others.length; start += ITEMS_PER_BATCH) {
    const { ok } = await table.transact([...others.slice(start, start + ITEMS_PER_BATCH), check]);
    if (!ok) return false;
  }
  return true;
}

export async function putInBatches(table: Table, items: Item[], check: Write): Promise<boolean> {
  for (const batch of batchesOf(items)) {
    const { ok } = await table.transact([...batch.map((put) => ({ put })), check]);
    if (!ok) return false;
  }
  return true;
}

/** A transaction is bounded in items and in bytes; using half of the bytes allows for other ways of counting them. */
function batchesOf(items: Item[]): Item[][] {
  const batches: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = itemBytes(item);
    const last = batches.at(-1);
    if (last && last.length < ITEMS_PER_BATCH && bytes + size <= TRANSACTION_BYTES / 2) {
      last.push(item);
      bytes += size;
    } else {
      batches.push([item]);
      bytes = size;
    }
  }
  return batches;
}
