/** How a receiver knows that a notification is ours, and fresh: HMAC-SHA256 over its time and its body. */
import { createHmac } from "node:crypto";

export interface Signing {
  secret: string;
  /** As it is sent, to the byte. */
  body: string;
  /** The notification's. */
  id: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** The time is signed too: what somebody kept and sends again later is told by it. */
export function signedHeaders({ secret, body, id, now }: Signing): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { "x-l2mac-id": id, "x-l2mac-timestamp": timestamp, "x-l2mac-signature": `v1=${signature}` };
}
