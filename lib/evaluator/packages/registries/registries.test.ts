import { readdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { newFolder, removeFolders } from "../../../../test/doubles/evaluation.ts";
import { npmRegistries } from "../../languages/javascript/npm-registries.ts";
import { pipRegistries } from "../../languages/python/pip-registries.ts";
import { exchangedPage } from "./pages.ts";
import type { InstallerRegistries } from "./registry.ts";
import { openRegistryProxy } from "./registry-proxy.ts";

afterAll(removeFolders);
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer };

/** A server that remembers what it was asked, and with what authorization. */
async function serve(answer: (request: IncomingMessage) => Answer) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? "-"}`);
    const { status = 200, headers = {}, body = "" } = answer(request);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const HTML = { "content-type": "text/html" };
const IMMUTABLE = { "cache-control": "max-age=31536000, immutable" };
const pip = (url: string, more: Record<string, string> = {}) => pipRegistries({ PIP_INDEX_URL: url, ...more });

async function proxyFor({ registries, env }: InstallerRegistries, store = newFolder()) {
  const proxy = await openRegistryProxy({ registries, store, bySocket: false });
  open.push(proxy);
  return { env: env(proxy.addressOf), store };
}

const withUser = (url: string): string => url.replace("//", "//user:hunter2@");
const BASIC = `Basic ${Buffer.from("user:hunter2").toString("base64")}`;

describe("the way to registries", () => {
  it("adds the credentials, which no installer gets, for the registry alone", async () => {
    const files = await serve(() => ({ body: "wheel" }));
    const index = await serve(({ url }) =>
      url?.endsWith(".whl")
        ? { status: 302, headers: { location: `${files.url}/moved.whl` } }
        : { headers: HTML, body: `<a href="/p/own.whl#sha256=x">own</a><a href='${files.url}/other.whl'>o</a>` },
    );
    const { env } = await proxyFor(pip(`${withUser(index.url)}/simple`));
    expect(JSON.stringify(env)).not.toMatch(/hunter2|user/);
    const page = await (await fetch(`${env.PIP_INDEX_URL}/one/`)).text();
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link);
    for (const link of links) expect(await (await fetch(link)).text()).toBe("wheel");
    expect(links[0]).toMatch(/#sha256=x$/);
    expect(index.asked).toEqual([`GET /simple/one/ ${BASIC}`, `GET /p/own.whl ${BASIC}`]);
    expect(files.asked).toEqual(["GET /moved.whl -", "GET /other.whl -"]);
  });

  it("leads nowhere that no page of the registry named, only reads, and passes nothing else on", async () => {
    const elsewhere = await serve(() => ({}));
    let seen: IncomingMessage["headers"] = {};
    const index = await serve(({ headers }) => {
      seen = headers;
      return { headers: HTML };
    });
    const { env } = await proxyFor(pip(index.url));
    const top = env.PIP_INDEX_URL ?? "";
    const other = top.replace(/\/http\/.*$/, `/http/${new URL(elsewhere.url).host}/x`);
    expect((await fetch(other)).status).toBe(403);
    expect((await fetch(top, { method: "POST", body: "x" })).status).toBe(405);
    expect((await fetch(top.replace(/\/[0-9a-f]{32}\//, `/${"0".repeat(32)}/`))).status).toBe(404);
    await fetch(top, { headers: { cookie: "c", authorization: "Basic x", "x-more": "y" } });
    expect(Object.keys(seen).toSorted()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
    expect(seen.authorization).toBeUndefined();
    expect(elsewhere.asked).toEqual([]);
  });

  it("keeps what never changes, asks whether the rest has changed, and believes no changed byte of its store", async () => {
    let body = "one";
    const index = await serve(({ url, headers }) => {
      if (url === "/never.whl") return { headers: { ...IMMUTABLE, "content-encoding": "gzip" }, body: gzipSync(body) };
      if (url === "/unsaid.whl") return { body };
      return headers["if-none-match"] === `"${body}"` ? { status: 304 } : { headers: { etag: `"${body}"` }, body };
    });
    const { env, store } = await proxyFor(pip(index.url));
    const get = async (name: string): Promise<string> => (await fetch(`${env.PIP_INDEX_URL}${name}`)).text();
    const names = ["never.whl", "unsaid.whl", "tagged.whl"];
    for (const name of names) expect(await get(name)).toBe("one");
    for (const name of names) expect(await get(name)).toBe("one");
    body = "two";
    expect(await Promise.all(names.map(get))).toEqual(["one", "two", "two"]);
    expect(index.asked.filter((line) => line.includes("never"))).toHaveLength(1);
    for (const name of readdirSync(store).filter((each) => /^[0-9a-f]{64}$/.test(each)))
      writeFileSync(join(store, name), "poisoned");
    expect(await Promise.all(names.map(get))).toEqual(["two", "two", "two"]);
  });

  it("ends the connection where the registry is not reached, so that no answer is taken for one", async () => {
    const { env } = await proxyFor(pip("http://127.0.0.1:9/simple"));
    await expect(fetch(`${env.PIP_INDEX_URL}/one/`)).rejects.toThrow();
  });

  it("goes through the proxy that is set up", async () => {
    const proxy = await serve(() => ({ headers: HTML, body: "by proxy" }));
    const { env } = await proxyFor(pip("http://index.invalid/simple", { PIP_PROXY: withUser(proxy.url) }));
    expect(await (await fetch(`${env.PIP_INDEX_URL}/one/`)).text()).toBe("by proxy");
    expect(JSON.stringify(env)).not.toContain("hunter2");
  });

  it("is a socket of this user's where installers have no network", async () => {
    const index = await serve(() => ({ headers: HTML, body: "page" }));
    const { registries, env } = pip(`${index.url}/simple`);
    const proxy = await openRegistryProxy({ registries, store: newFolder(), bySocket: true });
    open.push(proxy);
    const path = new URL(env(proxy.addressOf).PIP_INDEX_URL ?? "").pathname;
    const text = await new Promise<string>((resolve, reject) =>
      request({ socketPath: proxy.socket, path }, (response) => response.setEncoding("utf8").once("data", resolve))
        .once("error", reject)
        .end(),
    );
    expect(text).toBe("page");
  });
});

describe("the registries of npm", () => {
  const of = (env: Record<string, string>) => npmRegistries(env).registries;

  it("have each its own credentials", () => {
    const env = {
      npm_config_registry: "https://a.example/npm/",
      "npm_config_@own:registry": "https://b.example/",
      "npm_config_//a.example/npm/:_authToken": "hunter2",
      "npm_config_//b.example/:username": "user",
      "npm_config_//b.example/:_password": Buffer.from("hunter2").toString("base64"),
    };
    expect(of(env).map(({ credentials }) => credentials)).toEqual([
      [{ below: "https://a.example/npm/", authorization: "Bearer hunter2" }],
      [{ below: "https://b.example/", authorization: BASIC }],
    ]);
    expect(npmRegistries(env).env((address) => `x:${address}`)).toEqual({
      npm_config_registry: "x:https://a.example/npm/",
      "npm_config_@own:registry": "x:https://b.example/",
    });
  });

  it("get no credentials of another host, or of another place on it", () => {
    const token = (place: string) => ({
      npm_config_registry: "https://a.example/npm/",
      [`npm_config_//${place}:_authToken`]: "t",
    });
    for (const place of ["b.example/", "a.example/other/", "a.example/np", "a.example.org/"])
      expect(of(token(place))[0]?.credentials).toEqual([]);
  });

  it("are npm's own where none is set", () => {
    expect(of({})[0]?.address).toBe("https://registry.npmjs.org/");
  });
});

describe("a page of a registry", () => {
  const exchange = (address: string): string => `x:${address}`;

  it.each([
    ["pip", '<a href="a.whl?x=1&amp;y=2" data-y>a</a>', '<a href="x:a.whl?x=1&amp;y=2" data-y>a</a>'],
    ["pip", '<base href="https://f.example/d/"><a href="a.whl">', '<a href="x:https://f.example/d/a.whl">'],
    ["pip", '{"files":[{"url":"a.whl","hashes":{}}]}', '{"files":[{"url":"x:a.whl","hashes":{}}]}'],
    [
      "npm",
      '{"name":"a","versions":{"1.0.0":{"dist":{"tarball":"https://e/a.tgz","integrity":"i"}}}}',
      '{"name":"a","versions":{"1.0.0":{"dist":{"tarball":"x:https://e/a.tgz","integrity":"i"}}}}',
    ],
  ] as const)("of %s names other addresses: %s", (kind, page, exchanged) => {
    expect(exchangedPage(page, kind, exchange)).toBe(exchanged);
  });
});
