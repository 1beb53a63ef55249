/** An HTTP server that answers as a test says, on loopback, and remembers what it was asked. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Heard {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Said {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** Undefined: the connection is closed without an answer. */
export type Script = (heard: Heard) => Said | undefined | Promise<Said | undefined>;

export interface ScriptedApi {
  url: string;
  heard: Heard[];
  close(): Promise<void>;
}

export async function startScriptedApi(script: Script): Promise<ScriptedApi> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, headers, body: await buffer(request) };
    heard.push(one);
    answer(response, await script(one));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

function answer(response: ServerResponse, said: Said | undefined): void {
  if (!said) {
    response.destroy();
    return;
  }
  const { status = 200, headers = { "content-type": "application/json" }, body = "{}" } = said;
  response.writeHead(status, headers).end(body);
}

export const json = (value: unknown, status = 200): Said => ({ status, body: JSON.stringify(value) });

export const refusal = (status: number, problem: object, headers: Record<string, string> = {}): Said => ({
  status,
  headers: { "content-type": "application/problem+json", ...headers },
  body: JSON.stringify(problem),
});

/** Hands requests on to a server, unless `spoil` says that its answer is lost. */
export const passingOn =
  (url: string, spoil: (heard: Heard, count: number) => boolean): Script =>
  async (heard) => {
    counts.set(url, (counts.get(url) ?? 0) + 1);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = heard.headers;
    const { method, body } = heard;
    const response = await fetch(url + heard.path, {
      method,
      headers: headers as Record<string, string>,
      redirect: "manual",
      ...(body.length > 0 ? { body: Uint8Array.from(body) } : {}),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (spoil(heard, counts.get(url) ?? 0)) return undefined;
    const {
      "content-encoding": _encoding,
      "transfer-encoding": _transfer,
      ...said
    } = Object.fromEntries(response.headers);
    return { status: response.status, headers: said, body: bytes };
  };

const counts = new Map<string, number>();
