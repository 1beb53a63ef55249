/** Asks the API: signed, again where that can do no harm, with large answers fetched from where they lie. */
import type { z } from "zod";
import { MiB } from "../core/limits.ts";
import { type Address, mayFollow } from "./address.ts";
import { jsonIn, notUnderstood, refusalOf, unreachable } from "./refusal.ts";
import type { Answer, Send, Sent } from "./send.ts";
import { type Query, type Signer, withQuery } from "./sign.ts";

export interface ApiCall {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  query?: Query;
  /** Makes it JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** How long the answer may take. */
  milliseconds?: number;
  signal?: AbortSignal | undefined;
  patience?: Patience;
}

/** `once`: whether the server did it is not known when no answer comes, and it must not be done twice. */
export interface Patience {
  tries: number;
  mostMs: number;
  once?: boolean;
}

export interface AskParts {
  address: Address;
  /** The transport. */
  send: Send;
  /** Absent: nothing is signed. */
  sign?: Signer | undefined;
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  random: () => number;
}

/** What came, or that nothing came. */
export type CallResult = { answer: Answer } | { lost: string };

export type Ask = (asking: ApiCall) => Promise<CallResult>;

const ANSWER_MS = 40_000;
const LINK_MS = 10 * 60_000;
const JSON_BYTES = 64 * MiB;
const DEFAULT_PATIENCE: Patience = { tries: 4, mostMs: 5_000 };

export function createAsk(parts: AskParts): Ask {
  const { address } = parts;
  return async (asking) => {
    const { patience = DEFAULT_PATIENCE } = asking;
    for (let failed = 1; ; failed += 1) {
      const sent = await sendOnce(parts, asking);
      if ("tooLarge" in sent) throw notUnderstood(address.url, "it is too large");
      if ("status" in sent && sent.status === 303) return { answer: await followed(parts, sent) };
      const over = failed >= patience.tries || asking.signal?.aborted === true;
      if (over || !passes(sent, patience)) return "lost" in sent ? sent : { answer: sent };
      await parts.sleep(pauseAfter(sent, { failed, patience, random: parts.random }), asking.signal).catch(() => {});
    }
  };
}

async function sendOnce({ address, send, sign }: AskParts, asking: ApiCall): Promise<Sent> {
  const { method = "GET", path, query, milliseconds = ANSWER_MS, signal } = asking;
  const url = withQuery(`${address.url}${path}`, query);
  const body = asking.body === undefined ? undefined : JSON.stringify(asking.body);
  const plain = { ...asking.headers, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const headers = sign ? await sign({ method, url, headers: plain, body }) : plain;
  return send({ method, url, headers, body, milliseconds, bytesAtMost: JSON_BYTES, signal });
}

function passes(sent: Sent, { once }: Patience): boolean {
  if ("status" in sent && sent.status === 429) return true;
  if (once) return false;
  return "lost" in sent || ("status" in sent && sent.status >= 500);
}

const FIRST_MS = 300;
const LONGEST_ASKED_MS = 20_000;

/** With full jitter; or as long as the server asks for. */
function pauseAfter(
  sent: Sent,
  { failed, patience, random }: { failed: number; patience: Patience; random: () => number },
): number {
  const seconds = "status" in sent ? Number(sent.headers.get("retry-after") ?? 0) : 0;
  if (seconds > 0) return Math.min(seconds * 1_000, LONGEST_ASKED_MS);
  return Math.ceil(random() * Math.min(patience.mostMs, FIRST_MS * 2 ** (failed - 1)));
}

const followed = (parts: AskParts, { headers }: Answer): Promise<Answer> =>
  openLink(parts, headers.get("location") ?? "", { bytesAtMost: JSON_BYTES });

/** A link is all the authority that it takes: no credentials go there, and it leads no further. */
export async function openLink(
  { address, send }: Pick<AskParts, "address" | "send">,
  link: string,
  asked: { bytesAtMost: number; method?: "PUT"; body?: Uint8Array; headers?: Record<string, string> },
): Promise<Answer> {
  const url = URL.parse(link);
  if (!url || !mayFollow(address, url)) throw notUnderstood(address.url, "it leads to an address that is not safe");
  const sent = await send({ method: "GET", url, headers: {}, milliseconds: LINK_MS, ...asked });
  if ("tooLarge" in sent) throw notUnderstood(address.url, "what it leads to is larger than it can be");
  // The message does not hold the link: a link is all the authority that it takes.
  if ("lost" in sent) throw unreachable(url.host, sent.lost);
  if (sent.status !== 200)
    throw notUnderstood(address.url, `the link that it gave is answered with HTTP ${sent.status}`);
  return sent;
}

/** The answer as the API's own schema reads it. */
export function readAnswer<S extends z.ZodType>(address: Address, { status, bytes, headers }: Answer, schema: S) {
  if (status < 200 || status > 299) throw refused(address, { status, bytes, headers });
  const read = schema.safeParse(jsonIn(bytes));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw notUnderstood(address.url, `${issue?.path.map(String).join(".") || "it"}: ${issue?.message ?? "unreadable"}`);
}

export const refused = ({ url }: Address, answer: Answer) =>
  answer.status >= 300 && answer.status < 400
    ? notUnderstood(url, `it sends to another address (HTTP ${answer.status})`)
    : refusalOf(answer, url);
