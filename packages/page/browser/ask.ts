/** Requests to the server of this page. Refusals and a missing server are different errors. */
import type { Problem } from "../../../lib/api/problem.ts";
import { commandLine } from "../../../lib/core/text/command-line.ts";
import { Lost, Refused, TooLarge } from "./failures.ts";
import { dropKey, hasKey, keyOfPage } from "./key.ts";
import { notifyChange } from "./pause.ts";

export { Refused, TooLarge };

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export async function ask<Answer>(path: string, asked: RequestOptions = {}): Promise<Answer> {
  const answer = await send(path, asked);
  try {
    return (await answer.json()) as Answer;
  } catch (error) {
    if (asked.signal?.aborted) throw error;
    throw new Lost("The response was cut off.");
  }
}

export interface BytesAsked {
  signal?: AbortSignal;
  /** Of more nothing is kept. */
  most?: number;
}

export async function askBytes(path: string, { signal, most }: BytesAsked = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = await send(path, { signal });
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (const reader = body?.getReader(); reader; ) {
    const { value } = await reader.read();
    if (!value) break;
    bytes += value.length;
    if (most !== undefined && bytes > most) {
      await reader.cancel();
      throw new TooLarge(`It has more than ${most} bytes.`);
    }
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

export async function send(path: string, asked: RequestOptions): Promise<Response> {
  const changes = asked.method !== undefined && asked.method !== "GET";
  try {
    return await sendOwn(path, asked, changes);
  } finally {
    // The change may have been made although the answer is lost.
    if (changes) notifyChange();
  }
}

/** The token changes with each start of the server: a refused one is replaced once. */
async function sendOwn(path: string, asked: RequestOptions, changes: boolean): Promise<Response> {
  const answer = await trySend(path, asked, changes || isElsewhere ? await tokenOfStart() : undefined);
  if (answer.ok) return answer;
  const problem = await problemIn(answer);
  if (!changes || problem.status !== 403 || !(await hasNewToken())) throw problem;
  const again = await trySend(path, asked, await token);
  if (again.ok) return again;
  throw await problemIn(again);
}

/** Runs are on another server: this one forwards requests, with a key. */
export let isElsewhere = hasKey();
let token: Promise<string> | undefined;

/** Requested once and shared; again after a failure. */
function tokenOfStart(): Promise<string> {
  token ??= (isElsewhere ? keyOfPage(keyFor) : newToken().then((given) => given ?? "")).catch((error: unknown) => {
    token = undefined;
    throw error;
  });
  return token;
}

async function keyFor(code: string): Promise<string | undefined> {
  const answer = await trySend("/key", { method: "POST", headers: { "x-l2mac-code": code } });
  return answer.ok ? ((await answer.json()) as { key: string }).key : undefined;
}

async function newToken(): Promise<string | undefined> {
  const answer = await trySend("/token", {});
  return answer.ok ? ((await answer.json()) as { token: string }).token : undefined;
}

/** A server that gives a token needs no key: the one of this tab belonged to an earlier server. */
async function hasNewToken(): Promise<boolean> {
  const given = await newToken();
  if (given === undefined) return false;
  dropKey();
  isElsewhere = false;
  token = Promise.resolve(given);
  return true;
}

async function trySend(
  path: string,
  { method = "GET", body, headers, signal }: RequestOptions,
  own?: string,
): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      headers: {
        ...(method === "GET" ? {} : { "content-type": "application/json" }),
        ...(own === undefined ? {} : { "x-l2mac-token": own }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Lost("The server does not answer.");
  }
}

function withAdvice(detail: string, next: Problem["next"]): string {
  const { command, args = [], note } = next ?? {};
  const launcher = document.documentElement.dataset.typed ?? "l2mac";
  const line = command === undefined ? undefined : commandLine({ command, args }, launcher);
  const advice = [line, note].filter((part) => part !== undefined).join(", ");
  return advice === "" ? detail : `${detail} Next: ${advice}`;
}

async function problemIn(answer: Response): Promise<Refused> {
  try {
    const { detail, fields, next } = (await answer.json()) as Partial<Problem>;
    return new Refused(answer.status, withAdvice(detail ?? `The server answered ${answer.status}.`, next), fields);
  } catch {
    return new Refused(answer.status, `The server answered ${answer.status}.`);
  }
}
