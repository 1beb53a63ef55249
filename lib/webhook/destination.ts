/** Where a notification goes: the addresses behind the webhook's url, looked up once, and looked at. */
import { promises as dns, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import type { WebhookTarget } from "../core/run/webhook.ts";
import { whyNotThere } from "./address.ts";

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
    const refused = whyNotThere(address, { protocol, allowPrivate });
    if (refused) return { refused };
  }
  return { host, addresses };
}

const lookUp: Lookup = (host) => dns.lookup(host, { all: true });

const LOOKUP_MS = 5_000;

/** Why nothing would be sent there, as far as that can be said without sending. */
export async function whyNowhere(target: WebhookTarget, lookup?: Lookup): Promise<string | undefined> {
  try {
    const found = await unless(AbortSignal.timeout(LOOKUP_MS), destinationOf(target, lookup));
    return "refused" in found ? found.refused : undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** A look-up cannot be called off: it is left alone. */
export function unless<Answer>(signal: AbortSignal, work: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Codes, not messages: those may show more of the address. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code && !/^ABORT/.test(code) ? `it could not be reached (${code})` : "it could not be reached";
}
