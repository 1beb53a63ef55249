/** EventBridge's PutEvents on the default bus: keeps what comes, and refuses entries when it is to. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { RunEvent } from "../../../lib/core/notification/run-event.ts";
import type { Deployment, Service } from "../parts.ts";

export interface EventBus {
  service: Service;
  /** As the targets of rules receive them. */
  received: RunEvent[];
  /** The next event of this run fails with this error, in an answer of 200; what other runs left to be sent is taken. */
  refuseNext(runId: string, code: string): void;
}

const Request = z.object({
  Entries: z
    .array(
      z.strictObject({
        Source: z.string(),
        DetailType: z.string(),
        Detail: z.string().max(1_048_576),
        Time: z.number(),
      }),
    )
    .min(1)
    .max(10),
});

export function createEventBus({ account, region }: Deployment): EventBus {
  const received: RunEvent[] = [];
  const refusals = new Map<string, string>();
  return {
    received,
    refuseNext(runId, code) {
      refusals.set(runId, code);
    },
    service: async ({ body }) => {
      const { Entries } = Request.parse(JSON.parse(body.toString()));
      const results = Entries.map(({ Source, DetailType, Detail, Time }) => {
        const EventId = randomUUID();
        const event = RunEvent.parse({
          ...{ version: "0", id: EventId, source: Source, "detail-type": DetailType, account, region },
          ...{ time: new Date(Time * 1_000).toISOString(), resources: [], detail: JSON.parse(Detail) },
        });
        const code = refusals.get(event.detail.run.id);
        refusals.delete(event.detail.run.id);
        if (code !== undefined) return { ErrorCode: code, ErrorMessage: "refused by the rehearsal" };
        received.push(event);
        return { EventId };
      });
      const FailedEntryCount = results.filter((each) => "ErrorCode" in each).length;
      return {
        status: 200,
        headers: { "content-type": "application/x-amz-json-1.1" },
        body: Buffer.from(JSON.stringify({ FailedEntryCount, Entries: results })),
      };
    },
  };
}
