/** The address of an API: whether its requests are signed, for which region, and where it may send its callers. Pure. */
import { UserError } from "../core/errors.ts";

export interface Address {
  /** Without a slash at the end. */
  url: string;
  /** Absent: a server of this computer, which takes unsigned requests. */
  region?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readAddress(given: string, env: Environment): Address {
  const read = parsed(given);
  if ("problem" in read) throw wrong(given, read.problem);
  const url = `${read.url.origin}${read.url.pathname}`.replace(/(?<!\/)\/+$/, "");
  if (read.url.protocol === "http:") return { url };
  const region = regionOf(read.url.hostname) ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION);
  if (region) return { url, region };
  throw new UserError(`The address ${url} does not tell its AWS region, which requests are signed for.`, {
    exitCode: 3,
    remedy: "Set AWS_REGION to the region of the stack, then run the same command again.",
  });
}

/** What is wrong with an address, or the address. */
export function parsed(given: string): { url: URL } | { problem: string } {
  const url = URL.parse(given);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return { problem: "it is no https address" };
  if (url.username || url.password) return { problem: "it must hold no user or password" };
  if (url.search || url.hash) return { problem: "it must end with its path" };
  if (url.protocol === "http:" && !isLoopback(url)) return { problem: "only this computer is spoken to without TLS" };
  return { url };
}

export const isLoopback = ({ hostname }: URL): boolean => hostname === "127.0.0.1" || hostname === "localhost";

const regionOf = (host: string): string | undefined =>
  /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/.exec(host)?.[1];

/** Of what is wrong only the shape is shown: there may be a password in it. */
const wrong = (given: string, problem: string): UserError =>
  new UserError(`The address of the API cannot be used: ${problem}${shown(given)}.`, {
    exitCode: 3,
    remedy: "Give the stack's output ApiUrl: --remote https://….execute-api.<region>.amazonaws.com/v1",
  });

const shown = (given: string): string => (/^[\w.:/-]{1,200}$/.test(given) ? ` (${given})` : "");

/** Where an API may send its callers for what is large: over TLS, or from this computer's own server to itself. */
export function mayFollow(address: Address, link: URL): boolean {
  if (link.protocol === "https:") return true;
  return link.protocol === "http:" && link.origin === new URL(address.url).origin;
}
