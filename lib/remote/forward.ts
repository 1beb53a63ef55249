/** Passes requests of the page on to an API elsewhere, signed as the user's: only what the page asks, and nothing of the browser. */
import { randomUUID } from "node:crypto";
import { problemResponse, Refused } from "../api/problem.ts";
import { UserError } from "../core/errors.ts";
import { MiB } from "../core/limits.ts";
import type { Address } from "./address.ts";
import { openLink } from "./ask.ts";
import { type Answer, send } from "./send.ts";
import type { Signer } from "./sign.ts";

export interface ForwardParts {
  address: Address;
  /** Absent: nothing is signed. */
  sign?: Signer | undefined;
}

/** What the page may ask for. */
const PATHS = /^\/runs(?:\/[0-9A-Z]{26}(?:\/[a-z]+(?:\/\d{1,6}\/\d{1,4})?)?)?$/;
const METHODS = new Set(["GET", "POST", "PUT", "DELETE"]);
const SENT = ["content-type", "if-match", "idempotency-key"];
const TOLD = ["content-type", "etag", "x-request-id"];
const ANSWER_BYTES = 64 * MiB;
const ANSWER_MS = 60_000;

export const createForward =
  ({ address, sign }: ForwardParts) =>
  async (request: Request): Promise<Response> => {
    const { method } = request;
    const asked = new URL(request.url);
    if (!PATHS.test(asked.pathname) || !METHODS.has(method))
      return problem(404, "The page asks for nothing like this.");
    const url = new URL(`${address.url}${asked.pathname}${asked.search}`);
    const plain = pick(request.headers, SENT);
    const body = method === "GET" ? undefined : await request.text();
    const sending = { method, url, headers: plain, ...(body ? { body } : {}) };
    const headers = sign ? await sign(sending) : plain;
    const sent = await send({
      ...sending,
      headers,
      milliseconds: ANSWER_MS,
      bytesAtMost: ANSWER_BYTES,
      signal: request.signal,
    });
    if ("lost" in sent) return problem(502, `The API at ${url.host} does not answer: ${sent.lost}.`);
    if ("tooLarge" in sent) return problem(502, "The answer is too large for this page.");
    // The page may speak to nobody but this server.
    if (sent.status === 303) return followed(address, sent);
    return told(sent, sent.status);
  };

async function followed(address: Address, { headers }: Answer): Promise<Response> {
  try {
    const link = headers.get("location") ?? "";
    return told(await openLink(address, link, { bytesAtMost: ANSWER_BYTES }), 200);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return problem(502, error.message);
  }
}

const pick = (headers: Headers, names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));

/** It may be what a model wrote: opened by itself it can do nothing. */
function told({ headers, bytes }: Answer, status: number): Response {
  const safe = { "content-security-policy": "default-src 'none'; sandbox", "x-content-type-options": "nosniff" };
  const empty = status === 204 || status === 304;
  return new Response(empty ? null : Buffer.from(bytes), { status, headers: { ...pick(headers, TOLD), ...safe } });
}

const problem = (status: 404 | 502, detail: string): Response =>
  problemResponse(new Refused(status, detail), randomUUID());
