/**
 * Stands between installers and registries: adds the credentials that only it has, asks only registries and where their
 * pages say that packages are, only reads, and keeps what it fetched for the next installation.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { createDownloadStore, type DownloadStore, type StoredDownload, storeKey } from "./download-store.ts";
import { exchangedPage } from "./pages.ts";
import type { Registry } from "./registry.ts";
import { openUpstream, type Upstream } from "./upstream.ts";

export interface RegistryProxy {
  /** What an installer is given in place of a registry's address. */
  addressOf(address: string): string;
  /** The socket through which a sandbox without network reaches it, as this port of its own. */
  socket?: string;
  port: number;
  close(): Promise<void>;
}

interface ProxyParts {
  registries: Registry[];
  /** The folder of what was fetched. */
  store: string;
  /** Whether installers have no network, and reach it by a socket. */
  bySocket: boolean;
}

/** In the sandbox nothing else has a port. */
const PORT = 4_600;

export async function openRegistryProxy({ registries, store, bySocket }: ProxyParts): Promise<RegistryProxy> {
  const token = randomBytes(16).toString("hex");
  const places = registries.map((registry) => ({
    registry,
    upstream: openUpstream(registry),
    origins: new Set([new URL(registry.address).origin]),
  }));
  const downloads = createDownloadStore(store, randomUUID);
  const folder = bySocket ? await mkdtemp(join(tmpdir(), "l2mac-registries-")) : undefined;
  const socket = folder && join(folder, "socket");
  const server = createServer((request, response) => {
    answer({ request, response }, { token, places, downloads, top }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (socket) server.listen(socket, resolve);
    else server.listen(0, "127.0.0.1", resolve);
  });
  if (socket) await chmod(socket, 0o600);
  const port = socket ? PORT : (server.address() as AddressInfo).port;
  const top = `http://127.0.0.1:${port}/${token}`;
  return {
    addressOf: (address) => {
      const at = registries.findIndex((one) => one.address === address);
      return `${top}/${at}/${pathOf(new URL(address))}`;
    },
    ...(socket ? { socket } : {}),
    port,
    async close() {
      await closed(server);
      for (const { upstream } of places) upstream.close();
      if (folder) await rm(folder, { recursive: true, force: true });
    },
  };
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** `https/host/path`: what is relative to it stays so. */
const pathOf = ({ protocol, host, pathname, search }: URL): string =>
  `${protocol.slice(0, -1)}/${host}${pathname}${search}`;

interface Place {
  registry: Registry;
  upstream: Upstream;
  /** Those that its pages named. */
  origins: Set<string>;
}

interface Asked {
  token: string;
  places: Place[];
  downloads: DownloadStore;
  top: string;
}

const ADDRESS = /^\/([0-9a-f]{32})\/(\d{1,2})\/(https?)\/([^/]+)(\/.*)?$/;

async function answer(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { token, places, downloads, top }: Asked,
): Promise<void> {
  const refuse = (status: number): void => void response.writeHead(status).end();
  const [, given, at = "", scheme, written = "", path = "/"] = ADDRESS.exec(request.url ?? "") ?? [];
  const host = decodeURIComponent(written); // pip writes the colon before a port so.
  const place = places[Number(at)];
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") return refuse(405);
  if (given !== token || !place || !URL.canParse(`${scheme}://${host}${path}`)) return refuse(404);
  const url = new URL(`${scheme}://${host}${path}`);
  if (!place.origins.has(url.origin)) return refuse(403);
  const { accept = "*/*", "user-agent": agent = "l2mac" } = request.headers;
  const isFile = place.registry.pages === "plain" || FILE.test(url.pathname);
  const asked = { place, downloads, url, headers: { accept, "user-agent": agent }, response };
  if (method === "HEAD") return passHead(asked);
  if (isFile) return passFile(asked);
  return passPage(asked, (address, from) => {
    if (!URL.canParse(address, from)) return address;
    const target = new URL(address, from);
    if (!/^https?:$/.test(target.protocol)) return address;
    place.origins.add(target.origin);
    return `${top}/${at}/${pathOf(target)}${target.hash}`;
  });
}

const FILE = /\.(?:whl|tgz|zip|gz|bz2|metadata)$/;

interface Passing {
  place: Place;
  downloads: DownloadStore;
  url: URL;
  headers: Record<string, string>;
  response: ServerResponse;
}

async function passHead({ place, url, headers, response }: Passing): Promise<void> {
  const { answer } = await place.upstream.fetch(url, { method: "HEAD", headers });
  answer.resume();
  response.writeHead(answer.statusCode ?? 502, kept(answer)).end();
}

const PASSED = ["content-type", "cache-control", "last-modified"];
const kept = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(PASSED.flatMap((name) => (headers[name] ? [[name, String(headers[name])] as const] : [])));

interface Found {
  status: number;
  headers: Record<string, string>;
  from: string;
  body: AsyncIterable<Buffer>;
}

/** From what was kept, if the registry says that it is the same, or said that it never changes. */
async function find({ place, downloads, url, headers }: Passing): Promise<Found> {
  const { authorization = "" } = place.registry.credentials.find(({ below }) => url.href.startsWith(below)) ?? {};
  const key = storeKey([url.href, headers.accept ?? "", authorization]);
  const old = await downloads.find(key);
  if (old && old.etag === undefined) return fromStore(old);
  const conditional = old?.etag ? { ...headers, "if-none-match": old.etag } : headers;
  const { answer, url: from } = await place.upstream.fetch(url, {
    method: "GET",
    headers: { ...conditional, "accept-encoding": "gzip" },
  });
  if (old && answer.statusCode === 304) {
    answer.resume();
    return fromStore(old);
  }
  const type = answer.headers["content-type"] ?? "application/octet-stream";
  const { etag } = answer.headers;
  const isLasting =
    /\bimmutable\b/.test(answer.headers["cache-control"] ?? "") || place.registry.lasting?.test(url.pathname);
  const about = { type, from: from.href, ...(etag && !isLasting ? { etag } : {}) };
  const isKept = answer.statusCode === 200 && (isLasting || etag !== undefined);
  const plain = unpacked(answer);
  const body = isKept ? downloads.keeping(key, about)(plain) : plain;
  return { status: answer.statusCode ?? 502, headers: kept(answer), from: from.href, body };
}

const fromStore = (old: StoredDownload & { path: string }): Found => ({
  status: 200,
  headers: { "content-type": old.type },
  from: old.from,
  body: createReadStream(old.path),
});

function unpacked(answer: IncomingMessage): AsyncIterable<Buffer> {
  if (answer.headers["content-encoding"] !== "gzip") return answer;
  const plain = createGunzip();
  pipeline(answer, plain).catch((problem) => plain.destroy(problem));
  return plain;
}

async function passFile(passing: Passing): Promise<void> {
  const { status, headers, body } = await find(passing);
  passing.response.writeHead(status, headers);
  await pipeline(body, passing.response);
}

const PAGE_BYTES = 64 * 1024 ** 2;

async function passPage(passing: Passing, addressOf: (address: string, from: string) => string): Promise<void> {
  const { status, headers, from, body } = await find(passing);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > PAGE_BYTES) throw new Error("it is too large for a page");
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  const { pages } = passing.place.registry;
  const page =
    status === 200 && pages !== "plain" ? exchangedPage(text, pages, (address) => addressOf(address, from)) : text;
  passing.response.writeHead(status, headers).end(page);
}
