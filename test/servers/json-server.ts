/** A server on a real socket that answers every POST with JSON, as a script says; it records what it was asked. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface JsonRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface JsonReply {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface JsonServer {
  /** Ends in /v1. */
  url: string;
  requests: JsonRequest[];
  close(): Promise<void>;
}

export async function startJsonServer(
  answer: (request: JsonRequest) => JsonReply | Promise<JsonReply>,
): Promise<JsonServer> {
  const requests: JsonRequest[] = [];
  const server = createServer(async (incoming, response) => {
    let text = "";
    for await (const chunk of incoming) text += String(chunk);
    const request = { path: incoming.url ?? "", headers: incoming.headers, body: JSON.parse(text || "{}") };
    requests.push(request);
    const { status = 200, headers = {}, body } = await answer(request);
    const said = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(said);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
