/** Where a notification goes: resolves the webhook's host once, and checks its addresses. */
import { promises as dns, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import type { WebhookTarget } from "../core/notification/webhook.ts";
import { refusalOfAddress } from "./address.ts";

/** All addresses of a host. */
export type Lookup = (host: string) => Promise<LookupAddress[]>;

export interface Destination {
  host: string;
  addresses: LookupAddress[];
}

export async function destinationOf(
  { url, allowPrivate = false }: WebhookTarget,
  lookup: Lookup = lookUp,
): Promise<Destination | { refused: string }> {
  const { hostname, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host);
  if (addresses.length === 0) return { refused: "it has no address" };
  for (const { address } of addresses) {
    const refused = refusalOfAddress(address, { protocol, allowPrivate });
    if (refused) return { refused };
  }
  return { host, addresses };
}

const lookUp: Lookup = (host) => dns.lookup(host, { all: true });

const LOOKUP_MS = 5_000;

/** Why nothing would be sent there, as far as that is known without sending. */
export async function refusalOfTarget(target: WebhookTarget, lookup?: Lookup): Promise<string | undefined> {
  try {
    const found = await unless(AbortSignal.timeout(LOOKUP_MS), destinationOf(target, lookup));
    return "refused" in found ? found.refused : undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Rejects when the signal aborts; the work itself, such as a DNS lookup, cannot be cancelled. */
export function unless<Answer>(signal: AbortSignal, work: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Error codes only: messages may contain more of the URL. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code && !/^ABORT/.test(code) ? `it could not be reached (${code})` : "it could not be reached";
}
