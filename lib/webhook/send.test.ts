import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeCertificate } from "../../packages/aws-rehearsal/proxy/certificate.ts";
import { type Receiver, startReceiver } from "../../test/servers/webhook-receiver.ts";
import type { Notification } from "../core/notification/notification.ts";
import type { Webhook } from "../core/notification/webhook.ts";
import { createSender, type SenderParts } from "./send.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const secret = "a secret of some length";
const notification: Notification = {
  id: "01RUN-7-completed",
  type: "completed",
  at: "2026-03-01T12:00:00.000Z",
  run: { id: "01RUN", name: "größer", title: "A title", status: "completed" },
  cost: { usd: 0.1, tokens: 10, turns: 1, minutes: 0.5 },
};

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const send = (over: Partial<Webhook> = {}, parts: Partial<SenderParts> = {}) =>
  createSender({
    webhook: { url: receiver.url, secret, allowPrivate: true, ...over },
    clock: { now: () => NOW },
    ...parts,
  })(notification);

/** The example that docs/webhook.md gives to receivers. */
async function documentedExample() {
  const page = readFileSync(new URL("../../docs/webhook.md", import.meta.url), "utf8");
  const [, code = ""] = /<!-- example: verify -->\n```js\n([\s\S]*?)```/.exec(page) ?? [];
  const { isOurs } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return isOurs as (headers: unknown, body: string, secret: string, now?: number) => boolean;
}

describe("a notification", () => {
  it("is posted as JSON with its id, and is ours by the documented example", async () => {
    expect(await send()).toEqual({ ok: true });
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    expect(JSON.parse(body)).toEqual(notification);
    expect(headers).toMatchObject({ "content-type": "application/json", "x-l2mac-id": notification.id });
    expect(headers.host).toBe(new URL(receiver.url).host);
    const isOurs = await documentedExample();
    expect(isOurs(headers, body, secret, NOW)).toBe(true);
    expect(isOurs(headers, body, `${secret}.`, NOW)).toBe(false);
    expect(isOurs(headers, `${body} `, secret, NOW)).toBe(false);
    expect(isOurs(headers, body, secret, NOW + 301_000)).toBe(false);
    expect(isOurs({ ...headers, "x-l2mac-timestamp": `${NOW / 1_000 + 1}` }, body, secret, NOW)).toBe(false);
    expect(isOurs({}, body, secret, NOW)).toBe(false);
    const { "x-l2mac-signature": signature = "" } = headers as Record<string, string>;
    for (const other of ["", "é", `${signature.slice(0, -1)}é`, `${signature}0`, `${signature.slice(0, -2)}é`])
      expect(isOurs({ ...headers, "x-l2mac-signature": other }, body, secret, NOW)).toBe(false);
  });

  it.each([
    [500, /^127\.0\.0\.1:\d+: it answered 500$/],
    [404, /it answered 404$/],
  ])("fails where the answer is %d", async (status, why) => {
    receiver.answer((response) => response.writeHead(status).end("what was wrong"));
    expect(await send()).toEqual({ ok: false, why: expect.stringMatching(why) });
  });

  it("is sent nowhere else: a redirect is a failure", async () => {
    receiver.answer((response) => response.writeHead(307, { location: receiver.url }).end());
    expect(await send()).toEqual({
      ok: false,
      why: expect.stringMatching(/answered 307, and redirects are not followed/),
    });
    expect(receiver.received).toHaveLength(1);
  });

  it("fails within its timeout if no answer comes, and shows nothing of the URL but its host", async () => {
    receiver.answer(() => {});
    const { host } = new URL(receiver.url);
    expect(await send({}, { timeoutMs: 50 })).toEqual({ ok: false, why: `${host}: it did not answer in time` });
  });

  it("fails in bounded time where the look-up does not end", async () => {
    const never = () => new Promise<never>(() => {});
    const url = "https://hooks.example.org/secret-path";
    const result = await send({ url }, { lookup: never, timeoutMs: 50 });
    expect(result).toEqual({ ok: false, why: "hooks.example.org: it did not answer in time" });
  });

  it("reads only the status line: an answer that never ends does not delay it", async () => {
    receiver.answer((response) => void response.writeHead(200).write("x".repeat(1_000_000)));
    expect(await send({}, { timeoutMs: 60_000 })).toEqual({ ok: true });
  });

  it("fails if no one listens", async () => {
    const { url } = receiver;
    await receiver.close();
    expect(await send({ url })).toEqual({
      ok: false,
      why: expect.stringMatching(/could not be reached \(ECONNREFUSED\)/),
    });
    receiver = await startReceiver();
  });

  it.each(["http://127.0.0.1:9/", "http://2130706433:9/", "http://[::1]:9/", "http://localhost:9/"])(
    "is refused for %s, unless that is allowed",
    async (url) => {
      const why = expect.stringMatching(/allowPrivate is not set/);
      expect(await send({ url, allowPrivate: false })).toEqual({ ok: false, why });
    },
  );

  it("goes to no name that has a private address among its own", async () => {
    const lookup = async () => [
      { address: "1.1.1.1", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ];
    const result = await send({ url: "https://hooks.example.org/", allowPrivate: false }, { lookup });
    expect(result).toEqual({ ok: false, why: expect.stringMatching(/private one/) });
  });

  it("is sent to the next address of a name where one cannot be reached, each looked at, and to one alone", async () => {
    const { port } = new URL(receiver.url);
    const lookup = async () => ["127.0.0.2", "127.0.0.1", "127.0.0.1"].map((address) => ({ address, family: 4 }));
    expect(await send({ url: `http://hooks.example.org:${port}/x` }, { lookup })).toEqual({ ok: true });
    expect(receiver.received).toHaveLength(1);
    // The first that answers gets the notification, and no other.
    receiver.answer((response) => response.writeHead(500).end());
    expect(await send({ url: `http://hooks.example.org:${port}/x` }, { lookup })).toMatchObject({ ok: false });
    expect(receiver.received).toHaveLength(2);
    const unreachable = async () => ["127.0.0.2", "127.0.0.3"].map((address) => ({ address, family: 4 }));
    expect(await send({ url: `http://hooks.example.org:${port}/x` }, { lookup: unreachable })).toEqual({
      ok: false,
      why: expect.stringMatching(/could not be reached \(ECONNREFUSED\)/),
    });
  });

  it("is not sent a second time to one that may have got it", async () => {
    let came = 0;
    receiver.answer((response) => {
      came += 1;
      response.destroy();
    });
    const { port } = new URL(receiver.url);
    const lookup = async () => ["127.0.0.1", "127.0.0.1"].map((address) => ({ address, family: 4 }));
    expect(await send({ url: `http://hooks.example.org:${port}/x` }, { lookup })).toMatchObject({ ok: false });
    expect(came).toBe(1);
  });

  it("is sent to the address that was looked at: a name is looked up once", async () => {
    const looked: string[] = [];
    const lookup = async (host: string) => {
      looked.push(host);
      return [{ address: looked.length === 1 ? "127.0.0.1" : "10.0.0.1", family: 4 }];
    };
    const { port } = new URL(receiver.url);
    expect(await send({ url: `http://hooks.example.org:${port}/x` }, { lookup })).toEqual({ ok: true });
    expect(looked).toEqual(["hooks.example.org"]);
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example.org:${port}`);
  });

  it("is sent over TLS only to a server with a trusted certificate for the name", async () => {
    const certificate = makeCertificate();
    let came = 0;
    const server = createTlsServer(certificate, (_request, response) => {
      came += 1;
      response.end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const sendTo = (name: string) => send({ url: `https://${name}:${port}/` }, { lookup });
    const refused = { ok: false, why: expect.stringMatching(/could not be reached \(\w*CERT\w*/) };
    expect(await sendTo("127.0.0.1")).toEqual(refused);
    setDefaultCACertificates([...getCACertificates("default"), certificate.cert]);
    // It is trusted for the address that is connected to, and not for the name that is meant.
    expect(await sendTo("hooks.example.org")).toEqual(refused);
    expect(came).toBe(0);
    expect(await sendTo("127.0.0.1")).toEqual({ ok: true });
    expect(came).toBe(1);
    server.close();
  });
});
