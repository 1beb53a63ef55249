/** The notifier on AWS: the part of the composition root that joins it to the webhook and to EventBridge. */
import { eventsClient, secretsClient } from "../lib/aws/clients.ts";
import { createEventSender } from "../lib/aws/event-bus.ts";
import { createSecretReader } from "../lib/aws/secret.ts";
import { needed, type Settings } from "../lib/aws/settings.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import type { SendNotification } from "../lib/core/run/notification.ts";
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

/** Nothing is sent unsigned: a secret that cannot be read, or is empty, fails the call. */
function createWebhookOpening(clock: World["clock"], settings: Settings) {
  if (settings.WEBHOOK_URL === undefined) return async () => ({});
  const target = { url: settings.WEBHOOK_URL, allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE };
  const reader = createSecretReader({ client: secretsClient(), secretId: needed(settings, "WEBHOOK_SECRET_ID"), clock });
  return async (): Promise<Record<string, SendNotification>> => {
    const secret = await reader.read();
    if (secret === undefined) throw new Error("The webhook's secret is empty; nothing is sent unsigned.");
    return { webhook: createSender({ webhook: { ...target, secret }, clock }) };
  };
}
