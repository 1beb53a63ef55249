/** The stack's webhook as its settings and secrets have it: each may be set after the deployment. */
import { isSigned, type Webhook } from "../core/notification/webhook.ts";
import type { Clock } from "../core/ports.ts";
import { secretsClient } from "./clients.ts";
import { createSecretReader } from "./secret.ts";
import { needed, type Settings } from "./settings.ts";

/** Undefined: the stack has no webhook. `unset`: its address is not set yet. */
export function createWebhookReader(clock: Clock, settings: Settings): (() => Promise<Webhook | "unset">) | undefined {
  const { WEBHOOK_URL, WEBHOOK_URL_SECRET_ID, WEBHOOK_FORMAT: format, WEBHOOK_ALLOW_PRIVATE: allowPrivate } = settings;
  if (WEBHOOK_URL === undefined && WEBHOOK_URL_SECRET_ID === undefined) return undefined;
  const client = secretsClient();
  const open = (secretId: string) => createSecretReader({ client, secretId, clock });
  const address = WEBHOOK_URL_SECRET_ID === undefined ? undefined : open(WEBHOOK_URL_SECRET_ID);
  const signing = isSigned({ format }) ? open(needed(settings, "WEBHOOK_SECRET_ID")) : undefined;
  return async () => {
    const url = address ? await address.read() : WEBHOOK_URL;
    if (url === undefined || !URL.canParse(url)) return "unset";
    const secret = await signing?.read();
    // Nothing is sent unsigned.
    if (signing && secret === undefined) throw new Error("The webhook's secret is empty; nothing is sent unsigned.");
    return { url, allowPrivate, format, secret };
  };
}
