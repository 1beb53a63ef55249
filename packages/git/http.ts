/** One exchange with a Git server: its address is resolved and checked once, its answer is held to a size and a time. */
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { GitError } from "../../lib/core/git/servers.ts";
import { MiB } from "../../lib/core/limits.ts";
import { destinationOf, type Lookup, reasonOf, unless } from "../../lib/webhook/destination.ts";

export interface HttpParts {
  /** Whether addresses of this computer and of its network are reached. */
  allowPrivate: boolean;
  lookup?: Lookup | undefined;
  /** Without a byte for so long, the server is given up. */
  idleMs?: number | undefined;
}

export interface HttpCall {
  url: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: Uint8Array;
  bytesAtMost: number;
  signal: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

export type Exchange = (call: HttpCall) => Promise<HttpAnswer>;

const IDLE_MS = 60_000;
const CONNECT_MS = 2_000;

export const createExchange =
  ({ allowPrivate, lookup, idleMs = IDLE_MS }: HttpParts): Exchange =>
  async (call) => {
    const { url, signal } = call;
    const looked = unless(AbortSignal.any([signal, AbortSignal.timeout(idleMs)]), resolve(url, allowPrivate, lookup));
    const to = await looked.catch((error: unknown) => {
      throw unreached(error, signal);
    });
    if ("refused" in to) throw new GitError(to.refused, "refused");
    const options = {
      method: call.method,
      host: to.host,
      // To the checked addresses: a second lookup could return others.
      lookup: ((_host, _options, found) => found(null, to.addresses)) satisfies LookupFunction,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: CONNECT_MS,
      port: url.port || undefined,
      path: `${url.pathname}${url.search}`,
      agent: false as const,
      headers: {
        host: url.host,
        "user-agent": "git/l2mac",
        "accept-encoding": "identity",
        connection: "close",
        ...(call.body ? { "content-length": String(call.body.length) } : {}),
        ...call.headers,
      },
      signal,
    };
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => reject(error instanceof GitError ? error : unreached(error, signal));
      const answered = (response: IncomingMessage): void => {
        collect(response, call.bytesAtMost).then((body) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        }, fail);
      };
      const request =
        url.protocol === "https:"
          ? requestHttps({ ...options, servername: isIP(to.host) ? "" : to.host }, answered)
          : requestHttp(options, answered);
      request.setTimeout(idleMs, () => request.destroy(new GitError("it did not answer in time", "temporary")));
      request.on("error", fail);
      request.end(call.body);
    });
  };

const resolve = (url: URL, allowPrivate: boolean, lookup: Lookup | undefined) =>
  destinationOf({ url: url.href, allowPrivate }, lookup);

const unreached = (error: unknown, signal: AbortSignal): GitError => {
  const isOver = signal.aborted || (error instanceof Error && error.name === "TimeoutError");
  return new GitError(isOver ? "it did not answer in time" : reasonOf(error), "temporary", error);
};

async function collect(response: IncomingMessage, bytesAtMost: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesAtMost) {
      response.destroy();
      throw new GitError(`it sends more than ${bytesAtMost / MiB} MiB; that is too much for a run`, "refused");
    }
    chunks.push(chunk);
  }
  if (!response.complete) throw new GitError("its answer was cut off", "temporary");
  return Buffer.concat(chunks);
}
