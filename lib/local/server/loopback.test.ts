/** Links and uploads on loopback: what they open, for how long, and to whom. */
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../test/doubles/fake-clock.ts";
import { createMemoryFiles } from "../../host/memory-files.ts";
import { createLoopbackLinks } from "./loopback-links.ts";
import { createLoopbackUploads } from "./loopback-uploads.ts";

const SERVER = "http://127.0.0.1:1";
const bytes = new TextEncoder().encode("what it says");

describe("a link", () => {
  const clock = fakeClock();
  const files = createMemoryFiles();
  const secret = new Uint8Array(32);
  const links = createLoopbackLinks({ files, clock, secret });

  it("opens its file under the name that was asked for, until it expires", async () => {
    await files.put("runs/a/output/x.zip", bytes);
    const url = new URL(await links.get("runs/a/output/x.zip", { seconds: 60, fileName: "größe's.zip" }), SERVER);
    const opened = await links.open(url);
    expect(opened?.body).toEqual(bytes);
    expect(opened?.headers["content-disposition"]).toBe("attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe_s.zip");
    clock.advance(59_999);
    expect(await links.open(url)).toBeDefined();
    clock.advance(1);
    expect(await links.open(url)).toBeUndefined();
  });

  it("to what is stored for it alone is followed by its removal, once another one is made after it has expired", async () => {
    await files.put("uploads/a/run-3", bytes);
    await links.get("uploads/a/run-3", { seconds: 60, fileName: "x" });
    await links.get("runs/a/output/x.zip", { seconds: 60, fileName: "x" });
    expect(await files.get("uploads/a/run-3")).toEqual(bytes);
    clock.advance(60_001);
    await links.get("runs/a/output/x.zip", { seconds: 60, fileName: "x" });
    expect(await files.get("uploads/a/run-3")).toBeUndefined();
    expect(await files.get("runs/a/output/x.zip")).toEqual(bytes);
  });

  it("of another start opens nothing, and none leads out of the store", async () => {
    const other = createLoopbackLinks({ files, clock, secret: new Uint8Array(32).fill(1) });
    const url = await other.get("runs/a/output/x.zip", { seconds: 60, fileName: "x" });
    expect(await links.open(new URL(url, SERVER))).toBeUndefined();
    await expect(links.get("../x", { seconds: 60, fileName: "x" })).rejects.toThrow("not a key");
  });
});

describe("an upload", () => {
  const put = (url: string, body: Uint8Array<ArrayBuffer>) => new Request(SERVER + url, { method: "PUT", body });

  it("is stored once, and not after it has expired", async () => {
    const clock = fakeClock();
    const files = createMemoryFiles();
    const uploads = createLoopbackUploads({ files, clock });
    const asked = { seconds: 60, bytes: bytes.length };
    const { url } = await uploads.put("uploads/a", asked);
    expect(await uploads.take(put(url, bytes))).toEqual({ stored: true });
    expect(await files.get("uploads/a")).toEqual(bytes);
    expect(await uploads.take(put(url, bytes))).toMatchObject({ status: 404 });
    const { url: late } = await uploads.put("uploads/b", asked);
    clock.advance(60_001);
    expect(await uploads.take(put(late, bytes))).toMatchObject({ status: 404 });
  });

  it("of another size is not stored", async () => {
    const files = createMemoryFiles();
    const uploads = createLoopbackUploads({ files, clock: fakeClock() });
    for (const promised of [bytes.length - 1, bytes.length + 1]) {
      const { url } = await uploads.put("uploads/a", { seconds: 60, bytes: promised });
      expect(await uploads.take(put(url, bytes))).toMatchObject({ status: 400 });
    }
    expect(await files.get("uploads/a")).toBeUndefined();
  });
});
