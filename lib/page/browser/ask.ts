/** Asks the server that this page came from. What it refuses and a server that is not there are told apart. */

import { keyOfPage } from "./key.ts";

export class Refused extends Error {
  readonly status: number;
  readonly fields: { field: string; problem: string }[];
  constructor(status: number, detail: string, fields: Refused["fields"] = []) {
    super(detail);
    this.status = status;
    this.fields = fields;
  }
}

/** Nobody answered. */
export class Lost extends Error {}

export interface Asked {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export async function ask<Answer>(path: string, asked: Asked = {}): Promise<Answer> {
  return (await (await send(path, asked)).json()) as Answer;
}

export async function askBytes(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await send(path, { signal })).arrayBuffer());
}

/** Every start of the server has a token of its own: one that is refused is asked for anew, once. */
export async function send(path: string, asked: Asked): Promise<Response> {
  const changes = asked.method !== undefined && asked.method !== "GET";
  const answer = await trySend(path, asked, changes || isKeyed ? await tokenOfStart() : undefined);
  if (answer.ok) return answer;
  // This computer's server answers, and the one behind it does not.
  if (answer.status === 502) throw new Lost((await problemIn(answer)).message);
  const problem = await problemIn(answer);
  if (changes && !isKeyed && problem.status === 403) {
    token = undefined;
    const again = await trySend(path, asked, await tokenOfStart());
    if (again.ok) return again;
    throw await problemIn(again);
  }
  throw problem;
}

/** Where the server is for those alone who know its key, that stood in the page's address. */
let token = keyOfPage();
const isKeyed = token !== undefined;

/** Its server is not this computer's: this one passes on what is asked. */
export const isElsewhere = isKeyed;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function tokenOfStart(): Promise<string> {
  token ??= ((await (await trySend("/token", {})).json()) as { token: string }).token;
  return token;
}

async function trySend(
  path: string,
  { method = "GET", body, headers, signal }: Asked,
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

async function problemIn(answer: Response): Promise<Refused> {
  try {
    const { detail, fields } = (await answer.json()) as { detail?: string; fields?: Refused["fields"] };
    return new Refused(answer.status, detail ?? `The server answered ${answer.status}.`, fields);
  } catch {
    return new Refused(answer.status, `The server answered ${answer.status}.`);
  }
}
