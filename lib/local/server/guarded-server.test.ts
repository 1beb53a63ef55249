/** The server of the page, as requests find it: what it says of itself, whom it lets in, and by what. */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../../../test/doubles/fake-clock.ts";
import { proofOf } from "../../host/server-records.ts";
import { type GuardedParts, type GuardedServer, openGuardedServer } from "./guarded-server.ts";
import { createOpeningCodes, type OpeningCodes } from "./opening-codes.ts";

const open: GuardedServer[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.cutOff();
  }
});

async function served(codes?: OpeningCodes, typed?: string): Promise<string> {
  return (await aServer({ codes, typed })).url;
}

type Given = Pick<GuardedParts, "codes" | "typed" | "peerOf" | "orFree"> & Partial<Pick<GuardedParts, "port">>;

async function aServer(parts: Given): Promise<GuardedServer> {
  const server = await openGuardedServer({
    port: 0,
    ...parts,
    say: () => {},
    answer: async (_, { authorised }) => authorised() ?? Response.json({ answered: true }),
  });
  open.push(server);
  return server;
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  json: { key?: string; code?: string; detail?: string };
}

/** With headers that `fetch` would not send. */
const ask = (url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      const json = /json/.test(response.headers["content-type"] ?? "") ? JSON.parse(text) : {};
      resolve({ status: response.statusCode ?? 0, headers: response.headers, json });
    });
    sent.on("error", reject);
    sent.end();
  });

it("takes a free port where its own is taken and another one will do, and is refused elsewhere", async () => {
  const port = Number(new URL((await aServer({})).url).port);
  const other = await aServer({ port, orFree: true });
  expect(new URL(other.url).port).not.toBe(String(port));
  expect((await ask(`${other.url}/`)).status).toBe(200);
  await expect(aServer({ port })).rejects.toThrow(`Port ${port} cannot be used`);
});

const fromPage = { "sec-fetch-site": "same-origin" };

describe("the page", () => {
  it.each(["/", "/page/main.js", "/page/main.css"])(
    "is served so that only its own code runs in it, and no one frames or caches it: %s",
    async (path) => {
      const { status, headers } = await ask((await served()) + path);
      expect(status).toBe(200);
      const policy = new Map(
        String(headers["content-security-policy"])
          .split("; ")
          .map((rule): [string, string] => [rule.split(" ", 1)[0] ?? "", rule.slice(rule.indexOf(" ") + 1)]),
      );
      expect(Object.fromEntries(policy)).toMatchObject({
        ...{ "default-src": "'none'", "script-src": "'self'", "connect-src": "'self'" },
        ...{ "style-src": expect.stringMatching(/^'self' 'sha256-[\w+/]{43}='$/) },
        ...{ "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'" },
      });
      expect(headers).toMatchObject({
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      });
    },
  );

  it("knows how the command is typed that its server was started by", async () => {
    const document = async (typed?: string) => (await fetch(await served(undefined, typed))).text();
    expect(await document("npx l2mac")).toContain('<html lang="en" data-typed="npx l2mac">');
    expect(await document("npx l2mac")).toContain("available in a terminal: npx l2mac list<");
    expect(await document()).toContain('<html lang="en" data-typed="l2mac">');
  });

  it("may be opened from anywhere as a page of its own, and nothing else may be asked for from elsewhere", async () => {
    const url = await served();
    const site = { "sec-fetch-site": "cross-site" };
    const opening = { ...site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect((await ask(`${url}/`, opening)).status).toBe(200);
    const refused = [
      await ask(`${url}/`, { ...opening, "sec-fetch-dest": "iframe" }),
      await ask(`${url}/`, { ...opening, "sec-fetch-mode": "no-cors" }),
      await ask(`${url}/`, { ...opening, host: "evil.example" }),
      await ask(`${url}/`, opening, "POST"),
      await ask(`${url}/runs`, opening),
      await ask(`${url}/page/main.js`, { ...site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" }),
      await ask(`${url}/runs`, { "sec-fetch-site": "same-site" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
  });
});

describe("a server with codes", () => {
  let clock: FakeClock;
  const codes = (): OpeningCodes => {
    clock = fakeClock();
    return createOpeningCodes(clock.now);
  };
  const change = (url: string, code: string, headers: Record<string, string> = fromPage) =>
    ask(`${url}/key`, { ...headers, "x-l2mac-code": code }, "POST");

  it("changes each for its key once, and answers only who has that", async () => {
    const own = codes();
    const url = await served(own);
    const code = own.make();
    expect((await ask(`${url}/runs`, fromPage)).status).toBe(403);
    const { status, json } = await change(url, code);
    expect(status).toBe(200);
    expect((await ask(`${url}/runs`, { ...fromPage, "x-l2mac-token": json.key ?? "" })).status).toBe(200);
    const again = await change(url, code);
    expect(again).toMatchObject({ status: 403, json: { detail: expect.stringContaining("Run l2mac open again") } });
    expect((await change(url, own.make())).json.key).toBe(json.key);
  });

  it("takes none that is too old, none that it did not make, and none from elsewhere", async () => {
    const own = codes();
    const url = await served(own);
    expect((await change(url, "guessed")).status).toBe(403);
    const kept = own.make();
    for (const headers of [{}, { "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "none" }])
      expect((await change(url, kept, headers)).status).toBe(403);
    expect((await change(url, kept, { ...fromPage, origin: "http://evil.example" })).status).toBe(403);
    expect((await ask(`${url}/key`, { ...fromPage, "x-l2mac-code": kept })).status).toBe(403);
    // What was refused for another reason has not used it up.
    expect((await change(url, kept)).status).toBe(200);
    const old = own.make();
    clock.advance(10 * 60_000);
    expect((await change(url, old)).status).toBe(403);
  });

  it("gives no one its key as a token; one without codes gives no one a key", async () => {
    expect((await ask(`${await served(codes())}/token`, fromPage)).status).toBe(403);
    const plain = await served();
    expect((await ask(`${plain}/token`, fromPage)).status).toBe(200);
    expect((await change(plain, "guessed")).json.key).toBeUndefined();
  });
});

describe("a server that sees whose connections are", () => {
  const codes = createOpeningCodes(Date.now);

  it("answers its own user, and pages of its own, without a key", async () => {
    const { url, key } = await aServer({ codes, peerOf: async () => "own" });
    expect((await ask(`${url}/runs`)).status).toBe(200);
    expect((await ask(`${url}/token`, fromPage)).json).toEqual({ token: key });
    expect((await ask(`${url}/token`)).status).toBe(403);
  });

  it("answers those of whom it is not known nothing but the page, also not what only reads", async () => {
    const { url, key } = await aServer({ codes, peerOf: async () => "unknown" });
    expect(await ask(`${url}/runs`)).toMatchObject({ status: 403, json: { detail: expect.stringMatching(/its key/) } });
    for (const path of ["/token", "/code", "/key"]) {
      expect((await ask(url + path, fromPage)).status).toBe(403);
      expect((await ask(url + path, fromPage, "POST")).status).toBe(403);
    }
    expect((await ask(`${url}/runs`, { "x-l2mac-token": `${key.slice(0, -1)}_` })).status).toBe(403);
    expect((await ask(url)).status).toBe(200);
  });

  it("ends connections of other users before a request is read, also those that never send one", async () => {
    const { url } = await aServer({ codes, peerOf: async () => "other" });
    for (const path of ["/", "/page/main.js", "/runs"]) await expect(ask(url + path)).rejects.toThrow(/hang up|RESET/i);
    const silent = connect(Number(new URL(url).port), "127.0.0.1");
    silent.on("error", () => {});
    await once(silent, "close");
  });

  it("ends a request whose head does not come within some seconds", async () => {
    const { url } = await aServer({ codes, peerOf: async () => "own" });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("POST /runs HTTP/1.1\r\n");
    let answer = "";
    socket.setEncoding("latin1").on("data", (piece) => {
      answer += piece;
    });
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("answers programs that have its key, and gives them codes for pages", async () => {
    const { url, key } = await aServer({ codes, peerOf: async () => "unknown" });
    const own = { "x-l2mac-token": key };
    expect((await ask(`${url}/runs`, own)).status).toBe(200);
    const { code = "" } = (await ask(`${url}/code`, own, "POST")).json;
    const page = { ...fromPage, "x-l2mac-code": code };
    expect((await ask(`${url}/key`, page, "POST")).json).toEqual({ key });
    expect((await ask(`${url}/key`, page, "POST")).status).toBe(403);
  });

  it("proves that it has the key, without showing it", async () => {
    const { url, key } = await aServer({ codes, peerOf: async () => "unknown" });
    const proof = await (await fetch(`${url}/proof?nonce=once`)).text();
    expect(proof).toBe(proofOf(key, "once"));
    expect(proof).not.toBe(await (await fetch(`${url}/proof?nonce=twice`)).text());
    expect(proof).not.toContain(key);
  });
});
