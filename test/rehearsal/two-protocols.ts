/** HTTP and HTTPS on one port of the loopback, told apart by their first byte. The certificate is made at the start, and nobody's. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createPlain, type RequestListener } from "node:http";
import { createServer as createSecure } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TwoProtocols {
  port: number;
  /** PEM, for who wants to trust it. */
  certificate: string;
  stop(): Promise<void>;
}

export async function serveBoth(listener: RequestListener): Promise<TwoProtocols> {
  const { key, cert } = makeCertificate();
  const [plain, secure] = [createPlain(listener), createSecure({ key, cert }, listener)];
  // Longer than clients keep a connection that nobody uses.
  for (const server of [plain, secure]) server.keepAliveTimeout = 120_000;
  const sockets = new Set<Socket>();
  const front = createServer((socket) => {
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
    certificate: cert,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => front.close(closed));
    },
  };
}

const TLS_HANDSHAKE = 0x16;

function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-certificate-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
        ...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
      ],
      { stdio: "ignore" },
    );
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
