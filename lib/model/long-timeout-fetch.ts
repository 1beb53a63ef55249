/** Sends requests to slow servers: Node's `fetch` times out after 300 s without headers, too early for a model on a small computer. */
import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { createBody } from "../core/bytes.ts";
import { codeOf, type OutgoingRequest, REPLY_BYTES, type Reply, type Send, type Silence } from "./wire.ts";

/** Routers drop idle connections; keep-alive packets prevent that. */
const KEEP_ALIVE_MS = 30_000;

export const sendWithLongTimeout: Send = (sending) =>
  new Promise((resolve) => {
    const { url, method, signal, body } = sending;
    const request = (url.startsWith("https:") ? https : http).request(url, {
      method,
      signal,
      headers: headersOf(sending),
    });
    const progress = watch(request);
    const silent = (error: unknown) => resolve(silenceOf(error, { ...progress(), aborted: signal.aborted }));
    request.on("error", silent);
    request.on("response", (response) => receive(response, sending, { resolve, silent }));
    request.end(body);
  });

/** A new connection for every call: a kept one may have been closed by the server. */
const headersOf = ({ headers, body }: OutgoingRequest): Record<string, string> => ({
  ...headers,
  connection: "close",
  "accept-encoding": "identity",
  "content-length": String(Buffer.byteLength(body)),
});

function watch(request: http.ClientRequest): () => { connected: boolean; sent: boolean } {
  let connected = false;
  let finished = false;
  request.on("socket", (socket: Socket & { encrypted?: boolean; authorized?: boolean }) => {
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.once(socket.encrypted ? "secureConnect" : "connect", () => {
      connected = true;
    });
  });
  request.on("finish", () => {
    finished = true;
  });
  return () => ({ connected, sent: connected && finished });
}

interface Outcome {
  resolve: (outcome: Reply | Silence) => void;
  silent: (error: unknown) => void;
}

function receive(
  response: http.IncomingMessage,
  { onPart }: Pick<OutgoingRequest, "onPart">,
  { resolve, silent }: Outcome,
): void {
  const body = createBody(REPLY_BYTES);
  response.on("data", (chunk: Buffer) => {
    onPart?.(chunk);
    if (body.add(chunk)) return;
    resolve({ silence: "too_large", code: "", sent: true });
    response.destroy();
  });
  response.on("error", silent);
  response.on("end", () => {
    if (response.complete) resolve({ status: response.statusCode ?? 0, headers: joined(response), text: body.text() });
    else resolve({ silence: "closed", code: "ECONNRESET", sent: true });
  });
}

function joined({ headersDistinct }: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, (values ?? []).join(", ")]));
}

function silenceOf(
  error: unknown,
  { connected, sent, aborted }: { connected: boolean; sent: boolean; aborted: boolean },
): Silence {
  const code = codeOf(error);
  if (aborted) return { silence: "aborted", code, sent };
  return { silence: connected ? "closed" : "unreachable", code, sent };
}
