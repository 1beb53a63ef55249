/** Passes requests of the page on to an API elsewhere, signed as the user's: only what the page asks, and nothing of the browser. */
import { randomUUID } from "node:crypto";
import type { HeaderReader } from "../api/exchange.ts";
import { problemResponse, Refused } from "../api/problem.ts";
import { bodyOf } from "../api/read-body.ts";
import { UserError } from "../core/errors.ts";
import { MiB } from "../core/limits.ts";
import type { Address } from "./address.ts";
import { openLink } from "./ask.ts";
import { refusalOf } from "./refusal.ts";
import { type Answer, send } from "./send.ts";
import { type Signer, withQuery } from "./sign.ts";

export interface ForwardParts {
  address: Address;
  /** Absent: nothing is signed. */
  sign?: Signer | undefined;
}

/** What the page may ask for. */
const PATHS = /^\/(?:server|runs(?:\/[0-9A-Z]{26}(?:\/[a-z]+(?:\/\d{1,6}\/\d{1,4})?)?)?)$/;
const METHODS = new Set(["GET", "POST", "PUT", "DELETE"]);
const SENT = ["content-type", "if-match", "idempotency-key"];
const ANSWERED = ["content-type", "etag", "x-request-id"];
const ANSWER_BYTES = 64 * MiB;
const ANSWER_MS = 60_000;

export const createForward =
  (parts: ForwardParts) =>
  async (request: Request): Promise<Response> => {
    try {
      return await passedOn(parts, request);
    } catch (error) {
      if (error instanceof Refused) return problemResponse(error, randomUUID());
      if (error instanceof UserError) return problemResponse(noAnswer(error), randomUUID());
      throw error;
    }
  };

async function passedOn({ address, sign }: ForwardParts, request: Request): Promise<Response> {
  const { method } = request;
  const url = urlFor(address, request);
  const plain = pick(request.headers, SENT);
  const body = method === "GET" ? "" : new TextDecoder().decode(await bodyOf(request));
  const sending = { method, url, headers: plain, ...(body ? { body } : {}) };
  const headers = sign ? await sign(sending).catch(unsigned) : plain;
  const bounds = { milliseconds: ANSWER_MS, bytesAtMost: ANSWER_BYTES, signal: request.signal };
  const sent = await send({ ...sending, headers, ...bounds });
  if ("lost" in sent) throw new Refused(502, `The API at ${url.host} does not answer: ${sent.lost}.`);
  if ("tooLarge" in sent) throw new Refused(502, "The answer is too large for this page.");
  if (sent.status === 401 || sent.status === 403) throw refusalOf(sent, address.url);
  // The page may send requests to this server only.
  return sent.status === 303 ? followed(address, sent) : answerOf(sent, sent.status);
}

/** Rewritten as signatures take it: each name once. */
function urlFor(address: Address, { method, url }: Request): URL {
  const { pathname, searchParams } = new URL(url);
  const isOnce = new Set(searchParams.keys()).size === [...searchParams.keys()].length;
  if (!isOnce || !PATHS.test(pathname) || !METHODS.has(method))
    throw new Refused(404, "The page asks for nothing like this.");
  return withQuery(`${address.url}${pathname}`, Object.fromEntries(searchParams));
}

async function followed(address: Address, { headers }: Answer): Promise<Response> {
  const link = headers.get("location") ?? "";
  return answerOf(await openLink({ address, send }, link, { bytesAtMost: ANSWER_BYTES }), 200);
}

/**
 * 502, as of a server that is away, where there are no credentials or they do not hold, too: the page says so and goes
 * on trying, since after signing in again no new page is needed.
 */
const noAnswer = ({ message, remedy }: UserError): Refused => new Refused(502, message, { next: remedy });

const SIGN_IN =
  "Sign in again in a terminal (aws sso login, or aws configure); the page then goes on. If it does not, open it again.";

function unsigned(error: unknown): never {
  if (!(error instanceof UserError)) throw error;
  throw new Refused(502, error.message, { next: SIGN_IN, cause: error });
}

function pick(headers: HeaderReader, names: string[]): Record<string, string> {
  const pairs = names.map((name) => [name, headers.get(name)]).filter(([, value]) => value !== null);
  return Object.fromEntries(pairs);
}

/** It may be what a model wrote: opened by itself it can do nothing. */
function answerOf({ headers, bytes }: Answer, status: number): Response {
  const safe = { "content-security-policy": "default-src 'none'; sandbox", "x-content-type-options": "nosniff" };
  const empty = status === 204 || status === 304;
  return new Response(empty ? null : Buffer.from(bytes), { status, headers: { ...pick(headers, ANSWERED), ...safe } });
}
