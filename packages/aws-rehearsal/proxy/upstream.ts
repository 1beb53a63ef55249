/** Forwards a request to an emulator over kept-alive connections. */
import { Agent, request as ask } from "node:http";
import { buffer } from "node:stream/consumers";
import type { WireAnswer, WireRequest } from "../parts.ts";
import { partsOf } from "../sigv4/canonical-request.ts";

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

/** The content length of an answer to HEAD is not that of its body. */
const HOP_BY_HOP_OF_ANSWERS = new Set(["connection", "keep-alive", "transfer-encoding"]);

export function forEmulator(service: string, request: WireRequest): WireRequest {
  const { authorization: _, "x-amz-security-token": __, ...headers } = request.headers;
  // The emulators ask for a signature's form, and none looks at what it says.
  const credential = `outside/20260101/us-east-1/${service}/aws4_request`;
  const signature = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host;x-amz-date, Signature=${"0".repeat(64)}`;
  return {
    ...request,
    target: withoutSignature(request.target),
    headers: { "x-amz-date": "20260101T000000Z", ...headers, authorization: signature },
  };
}

/** Parameters of a presigned URL, whose time an emulator would check with its own clock. */
function withoutSignature(target: string): string {
  const { path, query } = partsOf(target);
  if (!query.some(([name]) => name === "X-Amz-Signature")) return target;
  const kept = query.filter(([name]) => !name.startsWith("X-Amz-"));
  const written = kept.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return written.length > 0 ? `${path}?${written.join("&")}` : path;
}
