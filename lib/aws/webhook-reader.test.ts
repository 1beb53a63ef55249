import { describe, expect, it } from "vitest";
import { fakeClock } from "../../test/doubles/fake-clock.ts";
import { awsError, type Script, scriptClient } from "../../test/doubles/scripted-client.ts";
import type { Notification } from "../core/notification/notification.ts";
import type { Webhook } from "../core/notification/webhook.ts";
import { secretsClient } from "./clients.ts";
import { readSettings } from "./settings.ts";
import { createWebhookChannel } from "./webhook-reader.ts";

const SIGNED = { WEBHOOK_URL: "https://hooks.example.org/a", WEBHOOK_SECRET_ID: "l2mac/webhook" };

function rig(env: Record<string, string>, script: Script) {
  const client = secretsClient({ region: "us-east-1" });
  scriptClient(client, script);
  const senders: Webhook[] = [];
  const channel = createWebhookChannel({
    settings: readSettings({ TABLE_NAME: "t", BUCKET_NAME: "b", ...env }),
    clock: fakeClock(),
    client,
    createSender: (webhook) => {
      senders.push(webhook);
      return async () => ({ ok: true });
    },
  });
  const send = async () => (await channel?.())?.({ id: "n" } as Notification);
  return { channel, send, senders };
}

describe("the webhook's channel", () => {
  it("signs with the secret, and is absent where the stack has no webhook", async () => {
    const { send, senders } = rig(SIGNED, [{ SecretString: "s" }]);
    expect(await send()).toEqual({ ok: true });
    expect(senders).toMatchObject([{ url: SIGNED.WEBHOOK_URL, secret: "s" }]);
    expect(rig({}, []).channel).toBeUndefined();
  });

  it.each([
    ["is empty", { SecretString: "" }, /^its secret is empty, and nothing is sent unsigned$/],
    ["is denied", awsError("AccessDeniedException"), /^a secret of the webhook cannot be read: .*l2mac\/webhook/],
    ["is deleted", awsError("ResourceNotFoundException"), /^a secret of the webhook cannot be read: .*l2mac\/webhook/],
  ])("fails its own sends, throws nothing and sends nothing unsigned while its secret %s", async (_, lost, why) => {
    const { send, senders } = rig(SIGNED, [lost, { SecretString: "s" }]);
    expect(await send()).toEqual({ ok: false, why: expect.stringMatching(why) });
    expect(senders).toEqual([]);
    expect(await send()).toEqual({ ok: true });
  });

  it("fails its own sends while the secret with its address is not set, or denied", async () => {
    const env = { WEBHOOK_URL_SECRET_ID: "l2mac/address", WEBHOOK_FORMAT: "slack" };
    const { send, senders } = rig(env, [{}, awsError("AccessDeniedException"), { SecretString: "https://x.org/" }]);
    expect(await send()).toMatchObject({ ok: false, why: expect.stringContaining("is no address") });
    expect(await send()).toMatchObject({ ok: false, why: expect.stringContaining("l2mac/address") });
    expect(await send()).toEqual({ ok: true });
    expect(senders).toMatchObject([{ url: "https://x.org/" }]);
  });
});
