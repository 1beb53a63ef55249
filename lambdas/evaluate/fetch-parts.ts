/** Fetches the packs of a base by the links of a request. Nothing else is ever fetched: the function has no rights of its own. */
import { type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { createBody } from "../../lib/core/bytes.ts";
import { ZIP_BYTES } from "../../lib/core/limits.ts";
import type { LinkedBase } from "../../lib/core/verdict/evaluation-wire.ts";

const FETCH_MS = 60_000;
const AT_ONCE = 8;

export interface PartsFetch {
  fetch(base: LinkedBase): Promise<Uint8Array[]>;
  /** Code of another run must not find them in the memory of this process. */
  forgetOthers(runId: string): void;
}

/** Keeps the packs of the last base: a run's next one shares most of them. */
export function createPartsFetch(): PartsFetch {
  let kept = new Map<string, Uint8Array>();
  const forgetOthers = (runId: string): void => {
    if ([...kept.keys()].some((key) => !key.startsWith(`runs/${runId}/`))) kept = new Map();
  };
  const fetch = async ({ addresses, parts }: LinkedBase): Promise<Uint8Array[]> => {
    const fetched = new Map<string, Uint8Array>(parts.map(({ key }) => [key, new Uint8Array()]));
    for (let at = 0; at < parts.length; at += AT_ONCE)
      await Promise.all(
        parts.slice(at, at + AT_ONCE).map(async ({ key, url }) => {
          fetched.set(key, kept.get(key) ?? (await fetchObject(url, addresses)));
        }),
      );
    kept = fetched;
    return [...fetched.values()];
  };
  return { fetch, forgetOthers };
}

/** By the addresses that came with the link: where this runs, no name is resolved. The host's certificate is checked. */
function fetchObject(url: string, addresses: string[]): Promise<Uint8Array> {
  const { protocol } = new URL(url);
  const options: RequestOptions = { lookup: answering(addresses), timeout: FETCH_MS };
  return new Promise((resolve, reject) => {
    // The link is a secret while it holds: no error says it.
    const fail = (why: string): void => reject(new Error(`A pack could not be fetched: ${why}.`));
    const sent = (protocol === "http:" ? requestHttp : requestHttps)(url, options, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode !== 200) {
        response.destroy();
        return fail(`the store answered ${statusCode}`);
      }
      const body = createBody(ZIP_BYTES);
      response.on("data", (chunk: Uint8Array) => {
        if (!body.add(chunk)) response.destroy(new Error("it is too large"));
      });
      response.on("end", () => resolve(body.bytes()));
      response.on("error", ({ message }) => fail(message));
    });
    sent.on("timeout", () => sent.destroy(new Error("the store did not answer")));
    sent.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    sent.end();
  });
}

function answering(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: 4 }));
  return (_host, options, answer) => {
    const [first] = found;
    if (!first) return answer(new Error("no address"), "", 4);
    return options.all ? answer(null, found) : answer(null, first.address, first.family);
  };
}
