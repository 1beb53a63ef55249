/**
 * Who may speak to the server of this computer: its user, and pages that this server gave out. Any page of the web can
 * send requests to loopback; it cannot choose the Host, nor hide where it comes from, nor read a token.
 */
import { timingSafeEqual } from "node:crypto";
import { CODE_MINUTES } from "./opening-codes.ts";

export const TOKEN_HEADER = "x-l2mac-token";
/** Of the address with which a page was opened. */
export const CODE_HEADER = "x-l2mac-code";

export interface Refusal {
  status: 403 | 415;
  detail: string;
}

/** Asked of every request. */
export function whyForeign(request: Request, port: number): Refusal | undefined {
  const { headers } = request;
  const hosts = hostsOf(port);
  if (!hosts.includes(headers.get("host") ?? "")) return forbidden("This server answers under its own name only.");
  const origin = headers.get("origin");
  if (origin !== null && !hosts.includes(origin.replace(/^http:\/\//, ""))) return forbidden("This origin is foreign.");
  const site = headers.get("sec-fetch-site");
  const isForeign = site === "cross-site" || site === "same-site";
  return isForeign && !opensPage(request) ? forbidden("This request comes from another site.") : undefined;
}

/** From a file or a letter, say: a page that opens it so cannot look into it, and by itself it changes nothing. */
const opensPage = ({ method, url, headers }: Request): boolean =>
  method === "GET" &&
  new URL(url).pathname === "/" &&
  headers.get("sec-fetch-mode") === "navigate" &&
  headers.get("sec-fetch-dest") === "document";

/** Asked of what changes something: forms cannot send JSON, and pages must have been given the token of this start. */
export function whyUnauthorised({ headers, method }: Request, token: string): Refusal | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  if (!isJson(headers)) {
    return { status: 415, detail: "What changes something is sent with the header content-type: application/json." };
  }
  const fromPage = headers.has("origin") || headers.has("sec-fetch-site");
  if (!fromPage || isToken(headers.get(TOKEN_HEADER), token)) return undefined;
  return forbidden(`A page must send the token of this start, which GET /token gives, in the header ${TOKEN_HEADER}.`);
}

/** Other users of this computer are kept out: the key is in no address. `ofUser`: its own user needs none. */
export function whyKeyless({ headers }: Request, key: string, ofUser: boolean): Refusal | undefined {
  if (isToken(headers.get(TOKEN_HEADER), key)) return undefined;
  return ofUser && !headers.has("sec-fetch-site") ? NOT_ITS_USER : NOT_LET_IN;
}

const NOT_ITS_USER: Refusal = {
  status: 403,
  detail: `This server answers the user who started it, and programs that have its key: they send it in the header ${TOKEN_HEADER}. It is in servers/<port>.json of that user's configuration folder.`,
};

/** Without the key, and for a code that does not hold. */
export const NOT_LET_IN: Refusal = {
  status: 403,
  detail: `This page is not let in: an address of l2mac open opens one page, once, within ${CODE_MINUTES} minutes. Run l2mac open again for another.`,
};

/** The token is for pages of this server only. */
export const mayHaveToken = ({ headers }: Request): boolean => headers.get("sec-fetch-site") === "same-origin";

const hostsOf = (port: number): string[] =>
  ["127.0.0.1", "localhost"].flatMap((name) => [`${name}:${port}`, ...(port === HTTP_PORT ? [name] : [])]);
const HTTP_PORT = 80;

const isJson = (headers: Headers): boolean =>
  /^application\/json\s*(;|$)/i.test(headers.get("content-type")?.trim() ?? "");

function isToken(given: string | null, token: string): boolean {
  const [one, other] = [Buffer.from(given ?? ""), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const forbidden = (detail: string): Refusal => ({ status: 403, detail });
