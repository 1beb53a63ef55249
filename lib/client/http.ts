/** Opens the client of a deployed stack's API, or of `l2mac serve`: requests are signed, but for this computer's own. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { readAddress } from "./address.ts";
import { type Client, createClient } from "./client.ts";
import { findCredentials, sourceOf } from "./credentials.ts";
import { type Send, send } from "./send.ts";
import type { Credentials } from "./sign.ts";

export interface HttpClient extends Client {
  /** Without a slash at the end. */
  url: string;
  /** Whose credentials sign the requests, in words. */
  as: string;
}

export interface HttpClientParts {
  url: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The key of a server of this computer, which is sent to no other address. */
  token?: string;
  /** Absent: as the AWS tools find them. */
  credentials?: () => Promise<Credentials>;
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  random?: () => number;
  newKey?: () => string;
}

/** Sends nothing yet. */
export async function openHttpClient(parts: HttpClientParts): Promise<HttpClient> {
  const { env, random = Math.random, sleep = pause, newKey = randomUUID } = parts;
  const address = readAddress(parts.url, env);
  const { region, url } = address;
  const sign = region === undefined ? undefined : await signer(parts, region);
  return {
    ...createClient({ address, send: sendingTo(url, parts.token), sign, sleep, random, newKey }),
    url,
    as: region === undefined ? "the user of this computer" : sourceOf(env),
  };
}

async function signer({ credentials = findCredentials() }: HttpClientParts, region: string) {
  // Its library is not loaded for a server of this computer.
  const { createSigner } = await import("./sign.ts");
  return createSigner({ credentials, region, now: Date.now });
}

function sendingTo(own: string, token: string | undefined): Send {
  if (token === undefined) return send;
  const { origin } = new URL(own);
  return (sending) => {
    if (sending.url.origin !== origin) return send(sending);
    return send({ ...sending, headers: { ...sending.headers, "x-l2mac-token": token } });
  };
}

const pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, signal ? { signal } : {});
