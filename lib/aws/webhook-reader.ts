/** The webhook as a channel of the notifier: its address and its secret may be set, changed or lost after the deployment. */
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { messageOf } from "../core/errors.ts";
import type { SendNotification } from "../core/notification/notification.ts";
import { isSigned, type Webhook } from "../core/notification/webhook.ts";
import type { Clock } from "../core/ports.ts";
import { oneLine } from "../core/text/cut.ts";
import { secretsClient } from "./clients.ts";
import { createSecretReader } from "./secret.ts";
import { needed, type Settings } from "./settings.ts";

export interface WebhookChannelParts {
  settings: Settings;
  clock: Clock;
  createSender: (webhook: Webhook) => SendNotification;
  client?: SecretsManagerClient;
}

type Readable = Webhook | { unreadable: string };

/** Undefined: the stack has no webhook. What cannot be read never throws: the other channels do not depend on it. */
export function createWebhookChannel(parts: WebhookChannelParts): (() => Promise<SendNotification>) | undefined {
  const { WEBHOOK_URL, WEBHOOK_URL_SECRET_ID } = parts.settings;
  if (WEBHOOK_URL === undefined && WEBHOOK_URL_SECRET_ID === undefined) return undefined;
  const read = createReader(parts);
  return async () => {
    const webhook = await read().catch((error: unknown) => ({
      unreadable: `a secret of the webhook cannot be read: ${oneLine(messageOf(error), SAID_CHARS)}`,
    }));
    return "unreadable" in webhook ? sendNowhere(webhook.unreadable) : parts.createSender(webhook);
  };
}

const SAID_CHARS = 400;

function createReader({ settings, clock, client = secretsClient() }: WebhookChannelParts): () => Promise<Readable> {
  const { WEBHOOK_URL, WEBHOOK_URL_SECRET_ID, WEBHOOK_FORMAT: format, WEBHOOK_ALLOW_PRIVATE: allowPrivate } = settings;
  const open = (secretId: string) => createSecretReader({ client, secretId, clock });
  const address = WEBHOOK_URL_SECRET_ID === undefined ? undefined : open(WEBHOOK_URL_SECRET_ID);
  const signing = isSigned({ format }) ? open(needed(settings, "WEBHOOK_SECRET_ID")) : undefined;
  return async () => {
    const url = address ? await address.read() : WEBHOOK_URL;
    if (url === undefined || !URL.canParse(url)) return { unreadable: NO_ADDRESS };
    const secret = await signing?.read();
    if (signing && secret === undefined) return { unreadable: "its secret is empty, and nothing is sent unsigned" };
    return { url, allowPrivate, format, secret };
  };
}

const NO_ADDRESS = "the secret with the webhook's address is not set, or is no address";

/** Retried like any other failure, so that the notification is sent once the secret can be read. */
const sendNowhere =
  (why: string): SendNotification =>
  async () => ({ ok: false, why });
