/** The events of runs on the default event bus of EventBridge: what the webhook is sent, and which stack says it. Pure. */
import * as z from "zod";
import { Notification } from "./notification.ts";

export const EVENT_SOURCE = "l2mac";

/** By the type of the notification. Rules match these names, so they do not change. */
export const DETAIL_TYPES = {
  completed: "Run Completed",
  partial: "Run Partial",
  failed: "Run Failed",
  cancelled: "Run Cancelled",
  waiting: "Run Waiting",
  ceiling: "Run Ceiling Near",
} as const satisfies Record<Notification["type"], string>;

export const RunEventDetail = Notification.extend({
  stack: z.string().describe("The name of the stack: several may be in one account."),
});
export type RunEventDetail = z.infer<typeof RunEventDetail>;

/** As a rule's target receives it: the fields of this program, and those that EventBridge adds. */
export const RunEvent = z
  .object({
    version: z.literal("0"),
    id: z.string().describe("Given by EventBridge: another one each time that the event is sent."),
    source: z.literal(EVENT_SOURCE),
    "detail-type": z.enum(Object.values(DETAIL_TYPES)),
    account: z.string(),
    time: z.string().describe("When it was sent; `detail.at` is when it happened."),
    region: z.string(),
    resources: z.array(z.string()),
    detail: RunEventDetail,
  })
  .describe("An event of a run on the default event bus.");
export type RunEvent = z.infer<typeof RunEvent>;
