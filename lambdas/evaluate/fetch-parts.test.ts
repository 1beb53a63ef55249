/** The packs of a large base come by links, from addresses that the request names: no name is resolved. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { packChanges, packOf } from "../../lib/pack/changes.ts";
import { changeEntries, packTree, unpackTree } from "../../lib/pack/pack.ts";
import { createPartsFetch } from "./fetch-parts.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const whole = packTree(undefined, [
  { path: "a.txt", content: bytes("a") },
  { path: "b.txt", content: bytes("b") },
]);
const base = { number: 0, sha256: "0" };
const entries = changeEntries(new Map(), [{ path: "c.txt", content: bytes("c") }]);
const objects: Record<string, Uint8Array> = {
  "/0.zip": whole,
  "/1.changes.zip": packChanges({ base, removed: ["a.txt"], entries }),
  "/2.changes.zip": packChanges({ base, removed: ["b.txt"], entries: new Map() }),
};

let server: Server;
let asked: string[] = [];
beforeAll(async () => {
  server = createServer(({ url = "", headers }, response) => {
    const [path = ""] = url.split("?");
    asked.push(`${headers.host} ${path}`);
    const body = objects[path];
    response.writeHead(body ? 200 : 403);
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
});

const HOST = "packs.invalid";
const linked = (...names: string[]) => ({
  addresses: ["127.0.0.1"],
  parts: names.map((key) => ({
    key,
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/${key}?X-Amz-Signature=secret`,
  })),
});
const paths = (pack: Uint8Array): string[] => [...unpackTree(pack).keys()];

it("put together they are the base, and only those that are new are fetched", async () => {
  const { fetch: fetchParts } = createPartsFetch();
  expect(packOf(await fetchParts(linked("0.zip")))).toEqual(whole);
  expect(paths(packOf(await fetchParts(linked("0.zip", "1.changes.zip"))))).toEqual(["b.txt", "c.txt"]);
  expect(paths(packOf(await fetchParts(linked("0.zip", "1.changes.zip", "2.changes.zip"))))).toEqual(["c.txt"]);
  expect(asked.map((each) => each.replace(/:\d+ /, " "))).toEqual(
    ["0.zip", "1.changes.zip", "2.changes.zip"].map((name) => `${HOST} /${name}`),
  );
});

it("a refusal is an error that keeps the link to itself", async () => {
  const failed = await createPartsFetch()
    .fetch(linked("other.zip"))
    .catch((error: unknown) => error);
  expect(String(failed)).toBe("Error: A pack could not be fetched: the store answered 403.");
});

it("a name is not resolved where no address came with it", async () => {
  const failed = createPartsFetch().fetch({ ...linked("0.zip"), addresses: [] });
  await expect(failed).rejects.toThrow("A pack could not be fetched: no address.");
  expect(asked).toEqual([]);
});

it("packs are forgotten before code of another run is executed, and kept for the next request of the same", async () => {
  const parts = createPartsFetch();
  objects["/runs/one/packs/0.zip"] = whole;
  await parts.fetch(linked("runs/one/packs/0.zip"));
  parts.forgetOthers("one");
  await parts.fetch(linked("runs/one/packs/0.zip"));
  expect(asked).toHaveLength(1);
  parts.forgetOthers("two");
  await parts.fetch(linked("runs/one/packs/0.zip"));
  expect(asked).toHaveLength(2);
});
