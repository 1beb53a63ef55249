/** Whose connections and servers of this computer are: made by this user, and by another one where tests may become one. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ANOTHER_USER, canRunAsAnother, needsAnother, runAsAnother } from "../../test/doubles/another-user.ts";
import { listenersOn, peerOf } from "./socket-users.ts";

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

async function aListener(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ended.push(() => server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

async function accepted(server: Server): Promise<Socket> {
  const [socket] = (await once(server, "connection")) as [Socket];
  ended.push(() => socket.destroy());
  return socket;
}

const CODE = `
const { connect, createServer } = require("node:net");
const [how, port] = process.argv.slice(1);
if (how === "connect") connect(Number(port), "127.0.0.1");
else { const server = createServer().listen(0, "127.0.0.1", () => console.log(server.address().port)); }`;

async function started(...args: string[]): Promise<ChildProcess> {
  const { child, end } = await runAsAnother(CODE, ...args);
  ended.push(end);
  return child;
}

describe.runIf(process.platform === "linux")("a connection on this computer", () => {
  it("is this user's own where a program of this user made it, over either version of the protocol", async () => {
    const { server, port } = await aListener();
    for (const host of ["127.0.0.1", "::ffff:127.0.0.1"]) {
      const client = connect(port, host);
      ended.push(() => client.destroy());
      expect(await peerOf(await accepted(server)), host).toBe("own");
    }
    expect(await listenersOn(port)).toEqual([process.getuid?.()]);
  });

  it("belongs to no user once its program has closed it", async () => {
    const { server, port } = await aListener();
    const client = connect(port, "127.0.0.1");
    const socket = await accepted(server);
    client.destroy();
    await once(client, "close");
    expect(await peerOf(socket)).toBe("unknown");
    expect(await peerOf({ remoteAddress: "127.0.0.1", remotePort: 1, localPort: port })).toBe("unknown");
  });

  it.runIf(canRunAsAnother)(
    `is not this user's where another one made it, and neither is that one's server${needsAnother}`,
    async () => {
      const { server, port } = await aListener();
      await started("connect", String(port));
      expect(await peerOf(await accepted(server))).toBe("other");
      const [line] = await once((await started("listen")).stdout as NodeJS.ReadableStream, "data");
      expect(await listenersOn(Number(String(line)))).toEqual([ANOTHER_USER]);
    },
  );
});
