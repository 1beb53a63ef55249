/** A receiver of notifications on loopback: keeps what comes, and answers as the test says. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Notification } from "../../lib/core/notification/notification.ts";

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  notification: Notification;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** From now on. Absent: 204. */
  answer(how: ((response: ServerResponse) => void) | undefined): void;
  close(): Promise<void>;
}

const well = (response: ServerResponse): void => void response.writeHead(204).end();

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let respond = well;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push({ headers: request.headers, body, notification: JSON.parse(body || "null") });
    respond(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?k=1`,
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
