/** Sends spans as JSON by OTLP over HTTP, within a timeout. Whatever a collector answers is an answer, and never thrown. */
import { gzipSync } from "node:zlib";
import { type Span, traceRequest } from "./otlp.ts";
import type { SpanTarget } from "./settings.ts";

/**
 * `rejected`: that many it did not take; sending them again would not help. `again`: it may take them later, after so many
 * milliseconds if it says so. `why` shows nothing of the target but its host.
 */
export type SendResult =
  | { ok: true; rejected: number; why?: string }
  | { ok: false; why: string; again: { afterMs: number } };

export type SendSpans = (spans: Span[], signal?: AbortSignal) => Promise<SendResult>;

export interface SenderParts {
  target: SpanTarget;
  version?: string | undefined;
  now?: () => number;
}

export const createSpanSender =
  ({ target, version, now = Date.now }: SenderParts): SendSpans =>
  async (spans, signal) => {
    const within = AbortSignal.timeout(target.timeoutMs);
    const over = signal ? AbortSignal.any([signal, within]) : within;
    try {
      const response = await fetch(target.url, { ...requestOf(target, { spans, version }), signal: over });
      return await resultOf(response, { target, spans: spans.length, now });
    } catch (error) {
      const why = within.aborted ? "it did not answer in time" : reasonOf(error);
      return { ok: false, why: `${target.host}: ${why}`, again: { afterMs: 0 } };
    }
  };

/** A redirect would take the headers elsewhere. */
function requestOf(target: SpanTarget, { spans, version }: { spans: Span[]; version: string | undefined }) {
  const request = traceRequest({ attributes: target.resource, version }, spans);
  const plain = new TextEncoder().encode(JSON.stringify(request));
  return {
    method: "POST",
    redirect: "manual",
    headers: {
      "user-agent": "l2mac",
      ...target.headers,
      "content-type": "application/json",
      ...(target.gzip ? { "content-encoding": "gzip" } : {}),
    },
    body: target.gzip ? new Uint8Array(gzipSync(plain)) : plain,
  } as const;
}

interface Sent {
  target: SpanTarget;
  spans: number;
  now: () => number;
}

/** As OTLP says; a caller who is not let in may be so later. */
const AGAIN = new Set([401, 403, 404, 408, 429, 500, 502, 503, 504]);

async function resultOf(response: Response, { target, spans, now }: Sent): Promise<SendResult> {
  const { host } = target;
  const { status } = response;
  if (status >= 200 && status < 300) {
    const rejected = Math.min(spans, rejectedIn(await readSome(response)));
    return {
      ok: true,
      rejected,
      ...(rejected > 0 ? { why: `${host}: it rejected ${rejected} of ${spans} spans` } : {}),
    };
  }
  await response.body?.cancel();
  const why = `${host}: it answered ${status}${status < 400 ? ", and redirects are not followed" : ""}`;
  if (!AGAIN.has(status) && status >= 400) return { ok: true, rejected: spans, why };
  return { ok: false, why, again: { afterMs: retryAfter(response.headers.get("retry-after"), now()) } };
}

/** More than that says nothing about spans. */
const ANSWER_BYTES = 65_536;

async function readSome({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (body)
    for await (const part of body) {
      size += part.length;
      // Leaving the loop cancels the rest.
      if (size > ANSWER_BYTES) return new Uint8Array();
      parts.push(part);
    }
  return new Uint8Array(Buffer.concat(parts));
}

/** What is no such answer says nothing: 0. */
function rejectedIn(answer: Uint8Array): number {
  try {
    const { partialSuccess } = JSON.parse(new TextDecoder().decode(answer) || "{}");
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}

const LONGEST_PAUSE_MS = 300_000;

/** Seconds, or a date. */
function retryAfter(text: string | null, now: number): number {
  if (text === null) return 0;
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return milliseconds > 0 ? Math.min(milliseconds, LONGEST_PAUSE_MS) : 0;
}

/** The code of the connection's error, as ECONNREFUSED: a message may hold the address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  const code = typeof cause === "object" && cause && "code" in cause ? String(cause.code) : undefined;
  if (code !== undefined && /^[A-Z_0-9]{3,60}$/.test(code)) return code;
  return error instanceof Error && error.name === "AbortError" ? "it did not answer in time" : "it cannot be reached";
}
