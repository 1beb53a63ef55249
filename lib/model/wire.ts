/** Requests to a model server and their replies, for any transport. Failures are values. */
import { createBody } from "../core/bytes.ts";

export interface OutgoingRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Called with each part of the body, as it arrives. */
  onPart?: (part: Uint8Array) => void;
}

export interface Reply {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
  /** What the model had written before a stream ended in an error. */
  received?: string;
}

/** No reply: `sent` tells whether the server had the whole request, and so may have worked, and charged. */
export interface Silence {
  silence: "unreachable" | "closed" | "aborted" | "too_large" | "unsigned";
  /** The system's word for it: ECONNREFUSED, ENOTFOUND, …; why it could not be signed. */
  code: string;
  sent: boolean;
  /** What the model had written until then. Absent: nothing, or it was no stream. */
  received?: string;
  /** The answer had begun, and then nothing came for so long. */
  idleMs?: number;
}

export type Send = (sending: OutgoingRequest) => Promise<Reply | Silence>;

/** A body beyond this is no answer: no model writes so much. */
export const REPLY_BYTES = 64 * 1024 * 1024;

/** Sends through a given `fetch`, and stops waiting on an abort even if that `fetch` does not. */
export function createFetchSend(fetch: typeof globalThis.fetch, limit: number = REPLY_BYTES): Send {
  return (sending) => Promise.race([fetched(fetch, sending, limit), aborted(sending.signal)]);
}

async function fetched(
  fetch: typeof globalThis.fetch,
  sending: OutgoingRequest,
  limit: number,
): Promise<Reply | Silence> {
  const { url, body, onPart, ...init } = sending;
  try {
    const response = await fetch(url, { ...init, redirect: "manual", ...(body ? { body } : {}) });
    const collected = createBody(limit);
    for await (const chunk of response.body ?? []) {
      onPart?.(chunk);
      if (!collected.add(chunk)) return { silence: "too_large", code: "", sent: true };
    }
    return { status: response.status, headers: Object.fromEntries(response.headers), text: collected.text() };
  } catch (error) {
    const code = codeOf(error);
    const connected = !NEVER_CONNECTED.has(code);
    return { silence: connected ? "closed" : "unreachable", code, sent: connected };
  }
}

const aborted = (signal: AbortSignal): Promise<Silence> =>
  new Promise((resolve) => {
    const stop = () => resolve({ silence: "aborted", code: "", sent: true });
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** The code of an error, or of what caused it. */
export function codeOf(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") return at.code;
    const [first] = at instanceof AggregateError ? at.errors : [];
    if (first instanceof Error && "code" in first && typeof first.code === "string") return first.code;
  }
  return "";
}
