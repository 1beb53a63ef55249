/** HTTP and HTTPS on one loopback port, distinguished by the first byte. */
import { once } from "node:events";
import { createServer as createPlain, type RequestListener } from "node:http";
import { createServer as createSecure } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type Certificate, makeCertificate } from "./certificate.ts";

export interface TwoProtocols {
  port: number;
  certificate: Certificate;
  stop(): Promise<void>;
}

export async function serveBoth(listener: RequestListener, given?: Certificate): Promise<TwoProtocols> {
  const certificate = given ?? makeCertificate();
  const [plain, secure] = [createPlain(listener), createSecure(certificate, listener)];
  // Longer than clients keep idle connections.
  for (const server of [plain, secure]) server.keepAliveTimeout = 120_000;
  // Longer than clients keep idle connections, so that no request meets a closing one.
  for (const server of [plain, secure]) server.keepAliveTimeout = 120_000;
  const sockets = new Set<Socket>();
  // Small answers leave at once: waiting for more to send with them would cost each request tens of milliseconds.
  const front = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.once("readable", () => {
      const first: Buffer | null = socket.read(1);
      if (!first) return;
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? secure : plain).emit("connection", socket);
    });
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  return {
    port: (front.address() as AddressInfo).port,
    certificate,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => front.close(closed));
    },
  };
}

const TLS_HANDSHAKE = 0x16;
