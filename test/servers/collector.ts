/** A collector on loopback: keeps what it is sent, and answers as the test says. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Collector {
  /** Without the path of traces. */
  url: string;
  received: { path: string; headers: IncomingHttpHeaders; body: Buffer }[];
  /** From now on. Absent: 200, with an empty answer. */
  answer(how?: (response: ServerResponse) => void): void;
  close(): Promise<void>;
}

const well = (response: ServerResponse): void => void response.writeHead(200).end();

export async function startCollector(): Promise<Collector> {
  const received: Collector["received"] = [];
  let respond = well;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    received.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts) });
    respond(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (how = well) => {
      respond = how;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
