/** Sends one notification, signed except to Slack: to an address that was resolved and checked once, within a timeout, without redirects. */
import { createHmac } from "node:crypto";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { DeliveryResult, Notification, SendNotification } from "../core/notification/notification.ts";
import type { Webhook } from "../core/notification/webhook.ts";
import type { Clock } from "../core/ports.ts";
import { type Destination, destinationOf, type Lookup, reasonOf, unless } from "./destination.ts";
import { slackMessage } from "./slack-message.ts";

export interface SenderParts {
  webhook: Webhook;
  clock: Pick<Clock, "now">;
  lookup?: Lookup;
  timeoutMs?: number;
}

/** From the DNS lookup to the status line of the answer. */
export const SEND_MS = 10_000;

export const createSender = (parts: SenderParts): SendNotification => {
  const url = new URL(parts.webhook.url);
  return async (notification, signal) => {
    const within = AbortSignal.timeout(parts.timeoutMs ?? SEND_MS);
    const over = signal ? AbortSignal.any([signal, within]) : within;
    try {
      return await unless(over, attempt(parts, { url, notification, signal: over }));
    } catch (error) {
      return failed(url, within.aborted ? "it did not answer in time" : reasonOf(error));
    }
  };
};

/** Messages contain only the host of the URL: the rest may be a secret. */
const failed = ({ host }: URL, why: string): DeliveryResult => ({ ok: false, why: `${host}: ${why}` });

interface Attempt {
  url: URL;
  notification: Notification;
  signal: AbortSignal;
}

async function attempt({ webhook, clock, lookup }: SenderParts, asked: Attempt): Promise<DeliveryResult> {
  const { url, notification, signal } = asked;
  const to = await destinationOf(webhook, lookup);
  if ("refused" in to) return failed(url, to.refused);
  signal.throwIfAborted();
  const { secret } = webhook;
  const { id } = notification;
  const body = JSON.stringify(webhook.format === "slack" ? slackMessage(notification) : notification);
  const headers = secret === undefined ? { "x-l2mac-id": id } : signedHeaders({ secret, body, id, now: clock.now() });
  const status = await post({ url, ...to, body, headers, signal });
  if (status >= 200 && status < 300) return { ok: true };
  return failed(url, `it answered ${status}${status >= 300 && status < 400 ? ", and redirects are not followed" : ""}`);
}

/** Connects to the checked addresses: a second lookup could return others. */
interface Post extends Destination {
  url: URL;
  body: string;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** How long one of several addresses is tried before the next. */
const CONNECT_MS = 1_000;

/** Reads only the status. The first address that accepts a connection gets the request, and no other. */
function post({ url, host, addresses, body, headers, signal }: Post): Promise<number> {
  const options = {
    method: "POST",
    host,
    lookup: ((_host, _asked, found) => found(null, addresses)) satisfies LookupFunction,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_MS,
    port: url.port || undefined,
    path: `${url.pathname}${url.search}`,
    // The connection is not reused.
    agent: false,
    headers: {
      host: url.host,
      "content-type": "application/json",
      "user-agent": "l2mac",
      "content-length": String(Buffer.byteLength(body)),
      connection: "close",
      ...headers,
    },
    signal,
  };
  return new Promise((resolve, reject) => {
    const answered = (response: IncomingMessage): void => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    };
    // The certificate must be that of the host name.
    const request: ClientRequest =
      url.protocol === "https:"
        ? requestHttps({ ...options, servername: isIP(host) ? "" : host }, answered)
        : requestHttp(options, answered);
    // Errors after the answer have no effect.
    request.on("error", reject);
    request.end(body);
  });
}

interface Unsigned {
  secret: string;
  /** As it is sent, to the byte. */
  body: string;
  /** The notification's. */
  id: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** HMAC-SHA256 over time and body. The time is signed too, so that a receiver can reject a replay. */
export function signedHeaders({ secret, body, id, now }: Unsigned): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { "x-l2mac-id": id, "x-l2mac-timestamp": timestamp, "x-l2mac-signature": `v1=${signature}` };
}
