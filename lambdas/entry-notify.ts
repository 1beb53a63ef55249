/** The notifier on AWS: the part of the composition root that joins it to the webhook and to EventBridge. */
import { eventsClient, secretsClient } from "../lib/aws/clients.ts";
import { createEventSender } from "../lib/aws/event-bus.ts";
import { createSecretReader } from "../lib/aws/secret.ts";
import { needed, type Settings } from "../lib/aws/settings.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import type { SendNotification } from "../lib/core/notification/notification.ts";
import { isSigned } from "../lib/core/notification/webhook.ts";
import { createSender } from "../lib/webhook/send.ts";
import { createNotify, type NotifyCounts } from "./notify.ts";

export function openNotify({ registry, clock }: World, settings: Settings) {
  const { EVENTS_STACK: stack } = settings;
  const events: Record<string, SendNotification> =
    stack === undefined ? {} : { events: createEventSender({ client: eventsClient(), stack }) };
  const openWebhook = createWebhookOpening(clock, settings);
  return async (invocation: Invocation): Promise<NotifyCounts> =>
    createNotify({ registry, clock, channels: { ...events, ...(await openWebhook()) } })(invocation);
}

function createWebhookOpening(clock: World["clock"], settings: Settings) {
  const { WEBHOOK_URL, WEBHOOK_URL_SECRET_ID, WEBHOOK_FORMAT: format, WEBHOOK_ALLOW_PRIVATE: allowPrivate } = settings;
  if (WEBHOOK_URL === undefined && WEBHOOK_URL_SECRET_ID === undefined) return async () => ({});
  const client = secretsClient();
  const open = (secretId: string) => createSecretReader({ client, secretId, clock });
  const address = WEBHOOK_URL_SECRET_ID === undefined ? undefined : open(WEBHOOK_URL_SECRET_ID);
  const signing = isSigned({ format }) ? open(needed(settings, "WEBHOOK_SECRET_ID")) : undefined;
  return async (): Promise<Record<string, SendNotification>> => {
    const url = address ? await address.read() : WEBHOOK_URL;
    if (url === undefined || !URL.canParse(url)) return { webhook: async () => ({ ok: false, why: NO_ADDRESS }) };
    const secret = await signing?.read();
    // Nothing is sent unsigned.
    if (signing && secret === undefined) throw new Error("The webhook's secret is empty; nothing is sent unsigned.");
    return { webhook: createSender({ webhook: { url, allowPrivate, format, secret }, clock }) };
  };
}

/** Tried again like any other failure, so that it is sent once the address is set. */
const NO_ADDRESS = "the secret with the webhook's address is not set, or is no address";
