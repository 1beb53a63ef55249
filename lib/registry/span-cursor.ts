/** How far the spans of a run were sent: whoever sends on begins there. Spans that are sent twice have the same ids. */
import * as z from "zod";
import type { Table } from "../core/ports.ts";
import { metaKey, spansKey } from "./keys.ts";

const Cursor = z.object({ sent: z.number().int().nonnegative() });

export async function sentSpans(table: Table, runId: string): Promise<number> {
  const item = await table.get(spansKey(runId));
  return Cursor.safeParse(item).data?.sent ?? 0;
}

/** A run that is deleted meanwhile leaves none. */
export async function noteSentSpans(table: Table, runId: string, sent: number): Promise<void> {
  await table.transact([
    { put: { ...spansKey(runId), sent } },
    { check: metaKey(runId), when: [{ item: "present" }, { attribute: "deleting", missing: true }] },
  ]);
}
