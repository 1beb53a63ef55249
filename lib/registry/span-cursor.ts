/** How far the spans of a run were sent, where the next sender begins. Spans that are sent twice have the same ids. */
import type { Table } from "../core/ports.ts";
import { metaKey, spansKey } from "./keys.ts";

export const createSpanCursor = (table: Table) => ({
  /** The number of the last event whose spans were sent; 0: none. */
  async sentSpans(runId: string): Promise<number> {
    const sent = (await table.get(spansKey(runId)))?.sent;
    return typeof sent === "number" ? sent : 0;
  },

  /** A run that is deleted meanwhile leaves none. */
  async noteSentSpans(runId: string, sent: number): Promise<void> {
    await table.transact([
      { put: { ...spansKey(runId), sent } },
      { check: metaKey(runId), when: [{ item: "present" }, { attribute: "deleting", missing: true }] },
    ]);
  },
});
