/** Sends one notification: to an address that was looked up once and looked at, in bounded time, following nobody. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Clock } from "../core/ports.ts";
import type { Notification, Told } from "../core/run/notification.ts";
import type { Webhook } from "../core/run/webhook.ts";
import { type Destination, destinationOf, type Lookup, reasonOf, unless } from "./destination.ts";
import { signedHeaders } from "./sign.ts";

export type Send = (notification: Notification, signal?: AbortSignal) => Promise<Told>;

export interface SenderParts {
  webhook: Webhook;
  clock: Pick<Clock, "now">;
  lookup?: Lookup;
  timeoutMs?: number;
}

/** From the look-up to the answer's first line. */
export const SEND_MS = 10_000;

export const createSender = (parts: SenderParts): Send => {
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

/** What is shown of the address is its host: the rest may be as good as a secret. */
const failed = ({ host }: URL, why: string): Told => ({ ok: false, why: `${host}: ${why}` });

interface Attempt {
  url: URL;
  notification: Notification;
  signal: AbortSignal;
}

async function attempt({ webhook, clock, lookup }: SenderParts, asked: Attempt): Promise<Told> {
  const { url, notification, signal } = asked;
  const to = await destinationOf(webhook, lookup);
  if ("refused" in to) return failed(url, to.refused);
  signal.throwIfAborted();
  const body = JSON.stringify(notification);
  const headers = signedHeaders({ secret: webhook.secret, body, id: notification.id, now: clock.now() });
  const status = await post({ url, ...to, body, headers, signal });
  if (status >= 200 && status < 300) return { ok: true };
  return failed(url, `it answered ${status}${status >= 300 && status < 400 ? ", and nothing is followed" : ""}`);
}

/** Its addresses are connected to: a second look-up could say others. */
interface Post extends Destination {
  url: URL;
  body: string;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** For an address after which there are others. */
const CONNECT_MS = 1_000;

/** The status alone: nothing else of the answer is read. Of the addresses the first that can be reached gets it, and it alone. */
function post({ url, host, addresses, body, headers, signal }: Post): Promise<number> {
  const options = {
    method: "POST",
    host,
    lookup: ((_host, _asked, found) => found(null, addresses)) satisfies LookupFunction,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_MS,
    port: url.port || undefined,
    path: `${url.pathname}${url.search}`,
    // No connection outlives it.
    agent: false,
    headers: {
      ...{ host: url.host, "content-type": "application/json", "user-agent": "l2mac" },
      ...{ "content-length": String(Buffer.byteLength(body)), connection: "close" },
      ...headers,
    },
    signal,
  };
  return new Promise((resolve, reject) => {
    const answered = (response: IncomingMessage): void => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    };
    // The certificate is that of the name.
    const request: ClientRequest =
      url.protocol === "https:"
        ? requestHttps({ ...options, servername: isIP(host) ? "" : host }, answered)
        : requestHttp(options, answered);
    // Later ones are of a connection that was let go.
    request.on("error", reject);
    request.end(body);
  });
}
