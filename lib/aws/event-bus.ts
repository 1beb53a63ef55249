/** Sends the events of runs to the default event bus of EventBridge. */
import { type EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import type { SendNotification } from "../core/notification/notification.ts";
import { DETAIL_TYPES, EVENT_SOURCE, type RunEventDetail } from "../core/notification/run-event.ts";

/** EventBridge answers 200 also where it took no event: the entry then has an error. */
export const createEventSender =
  ({ client, stack }: { client: EventBridgeClient; stack: string }): SendNotification =>
  async (notification, abortSignal) => {
    const detail: RunEventDetail = { ...notification, stack };
    const entry = {
      Source: EVENT_SOURCE,
      DetailType: DETAIL_TYPES[notification.type],
      Time: new Date(notification.at),
      Detail: JSON.stringify(detail),
    };
    try {
      const { Entries = [] } = await client.send(
        new PutEventsCommand({ Entries: [entry] }),
        abortSignal ? { abortSignal } : {},
      );
      const code = Entries[0]?.ErrorCode;
      return code === undefined ? { ok: true } : failed(code);
    } catch (error) {
      return failed(error instanceof Error ? error.name : "unknown error");
    }
  };

/** Names only: a message may hold an account and a role. */
const failed = (name: string) => ({ ok: false as const, why: `EventBridge: ${name}` });
