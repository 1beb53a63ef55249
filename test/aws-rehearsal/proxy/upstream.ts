/** Leads a request on to an emulator, over connections that stay open. */
import { Agent, request as ask } from "node:http";
import { buffer } from "node:stream/consumers";
import type { WireAnswer, WireRequest } from "../parts.ts";

export interface Upstreams {
  forward(endpoint: string, request: WireRequest): Promise<WireAnswer>;
  close(): void;
}

export function createUpstreams(): Upstreams {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    forward(endpoint, { method, target, headers, body }) {
      const { hostname, port } = new URL(endpoint);
      const sent = {
        ...without(HOP_BY_HOP, headers),
        host: `${hostname}:${port}`,
        "content-length": String(body.length),
      };
      return new Promise((resolve, reject) => {
        const asked = ask({ agent, hostname, port, method, path: target, headers: sent }, (response) => {
          buffer(response).then(
            (answer) => resolve({ status: response.statusCode ?? 0, headers: plain(response.headers), body: answer }),
            reject,
          );
        });
        asked.on("error", reject).end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "expect", "content-length", "host"]);

const without = (names: Set<string>, headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)));

function plain(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    [value ?? ""].flat().join(", "),
  ]);
  return without(HOP_BY_HOP_OF_ANSWERS, Object.fromEntries(entries));
}

/** The length of an answer to HEAD is that of what is not sent. */
const HOP_BY_HOP_OF_ANSWERS = new Set(["connection", "keep-alive", "transfer-encoding"]);
