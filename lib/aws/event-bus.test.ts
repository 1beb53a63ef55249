import { describe, expect, it } from "vitest";
import { awsError, type Script, scriptClient } from "../../test/doubles/scripted-client.ts";
import type { Notification } from "../core/notification/notification.ts";
import { eventsClient } from "./clients.ts";
import { createEventSender } from "./event-bus.ts";

const notification: Notification = {
  ...{ id: "01RUN-7-completed", type: "completed", at: "2026-03-01T12:00:00.000Z" },
  run: { id: "01RUN", name: "words", title: "A command that counts words", status: "completed" },
  cost: { usd: 0.1, tokens: 10, turns: 1, minutes: 0.5 },
};

function rig(...script: Script) {
  const client = eventsClient({ region: "us-east-1" });
  const sent = scriptClient(client, script);
  return { sent, send: createEventSender({ client, stack: "L2mac" }) };
}

describe("an event of a run", () => {
  it("is the notification and the stack's name, on the default bus", async () => {
    const { send, sent } = rig({ FailedEntryCount: 0, Entries: [{ EventId: "1" }] });
    expect(await send(notification)).toEqual({ ok: true });
    const entries = sent[0]?.input.Entries as Record<string, unknown>[] | undefined;
    expect(entries).toHaveLength(1);
    const [entry] = entries ?? [];
    expect(entry).toEqual({
      ...{ Source: "l2mac", DetailType: "Run Completed", Time: new Date(notification.at), Detail: expect.anything() },
    });
    expect(JSON.parse(String(entry?.Detail))).toEqual({ ...notification, stack: "L2mac" });
  });

  it("that the bus did not take, in an answer of 200, was not sent", async () => {
    const { send } = rig({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: "ThrottlingException", ErrorMessage: "slow" }],
    });
    expect(await send(notification)).toEqual({ ok: false, why: "EventBridge: ThrottlingException" });
  });

  it("that was denied says so, and names neither account nor role", async () => {
    const message = "User: arn:aws:sts::111122223333:assumed-role/R is not authorized to perform: events:PutEvents";
    const { send } = rig(awsError("AccessDeniedException", { message, status: 400 }));
    expect(await send(notification)).toEqual({ ok: false, why: "EventBridge: AccessDeniedException" });
  });

  it("ends with its caller", async () => {
    const { send, sent } = rig({ Entries: [{ EventId: "1" }] });
    const { signal } = new AbortController();
    await send(notification, signal);
    expect(sent[0]?.options).toEqual({ abortSignal: signal });
  });
});
