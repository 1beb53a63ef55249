/** A copy of a run's records beside its files, as they were when a computation of it began and ended: for a repair. */
import * as z from "zod";
import type { FileStore, Item, ItemKey, Table } from "../core/ports.ts";
import { fileStoreKeys, metaKey, runKey } from "../registry/keys.ts";

const KeptRecords = z.array(z.looseObject({ pk: z.string(), sk: z.string() }));

interface Stores {
  table: Table;
  files: FileStore;
}

/** As they are before the work, and after it. */
export async function whileKept<Answer>(stores: Stores, runId: string, work: () => Promise<Answer>): Promise<Answer> {
  await keepRecords(stores, runId);
  const answer = await work();
  await keepRecords(stores, runId);
  return answer;
}

/** No run fails for want of its copy: on a full disk there is none. */
async function keepRecords({ table, files }: Stores, runId: string): Promise<void> {
  const own = await table.query(runKey(runId), { prefix: "" });
  const others = await Promise.all(own.flatMap(keysBeside).map((key) => table.get(key)));
  const items = [...own, ...others.filter((item) => item !== undefined)];
  await files.put(fileStoreKeys(runId).records, new TextEncoder().encode(JSON.stringify(items))).catch(() => {});
}

/** What it has outside: the key of its submission. */
const keysBeside = ({ submittedBy }: Item): ItemKey[] =>
  typeof submittedBy === "string" ? [{ pk: submittedBy, sk: metaKey("").sk }] : [];

/** None of a run that an earlier version computed. */
export async function readKeptRecords(files: FileStore, runId: string): Promise<Item[]> {
  const bytes = await files.get(fileStoreKeys(runId).records);
  try {
    return bytes ? (KeptRecords.parse(JSON.parse(new TextDecoder().decode(bytes))) as Item[]) : [];
  } catch {
    return [];
  }
}
