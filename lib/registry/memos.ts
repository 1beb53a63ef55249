/** What is remembered of calls: an item for its owner, found by what the call is, and a mark in the run that has the steps. */
import { ITEMS_PER_BATCH } from "../core/limits.ts";
import { Memo } from "../core/memo/memo.ts";
import type { ItemKey, Table, Write } from "../core/ports.ts";
import { runKey } from "./keys.ts";

/** A call of an owner, by a hash of all that it is asked with. */
export interface MemoName {
  owner: string;
  call: string;
}

const memosKey = ({ owner, call }: MemoName): string => `MEMO#${owner}#${call}`;

/** The latest comes first: a table is read in the order of its keys. */
function memoKey(name: MemoName, { run, first, at }: Memo): ItemKey {
  const before = String(LATEST_MS - Date.parse(at)).padStart(LATEST_DIGITS, "0");
  return { pk: memosKey(name), sk: `${before}#${run}#${first}` };
}

const LATEST_MS = 8_640_000_000_000_000;
const LATEST_DIGITS = 16;

const MARK = "MEMO#";

/** Repeatable: the same call has the same keys. */
export function memoWrites(name: MemoName, memo: Memo): Write[] {
  const key = memoKey(name, memo);
  const mark = { pk: runKey(memo.run), sk: `${MARK}${memo.first}#${name.call}`, memo: key.pk, memoSk: key.sk };
  return [{ put: { ...key, ...memo } }, { put: mark }];
}

/** Those of another version are passed over. */
export async function findMemos(table: Table, name: MemoName, limit: number): Promise<Memo[]> {
  const items = await table.query(memosKey(name), { prefix: "", limit });
  return items.flatMap((item) => {
    const read = Memo.safeParse(item);
    return read.success ? [read.data] : [];
  });
}

/** Of a run that is deleted. A mark goes with what it marks, so that a crash leaves none without the other. */
export async function removeMemos(table: Table, runId: string): Promise<void> {
  const pk = runKey(runId);
  const limit = Math.floor(ITEMS_PER_BATCH / 2);
  for (;;) {
    const marks = await table.query(pk, { prefix: MARK, limit });
    if (marks.length === 0) return;
    const keys = marks.flatMap(({ sk, memo, memoSk }) => [
      { pk, sk },
      { pk: String(memo), sk: String(memoSk) },
    ]);
    await table.transact(keys.map((key) => ({ delete: key })));
  }
}
