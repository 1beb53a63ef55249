import { describe, expect, it } from "vitest";
import { linkClient } from "./clients.ts";
import { createPresigner } from "./presign.ts";

const client = linkClient({ region: "eu-west-1", credentials: { accessKeyId: "AKID", secretAccessKey: "secret" } });
const presigner = createPresigner({ client, bucket: "files" });
const linkTo = async (fileName: string) =>
  new URL(await presigner.get("runs/1/output/a b.zip", { seconds: 900, fileName })).searchParams;

describe("a link to a file", () => {
  it("is for that file, for so long, and to be saved, whatever is in it", async () => {
    const url = new URL(await presigner.get("runs/1/output/a b.zip", { seconds: 900, fileName: "a.zip" }));
    expect(url.host).toMatch(/^files\.s3\.eu-west-1\./);
    expect(url.pathname).toBe("/runs/1/output/a%20b.zip");
    expect(url.searchParams.get("X-Amz-Expires")).toBe("900");
    expect(url.searchParams.get("X-Amz-Signature")).toMatch(/^[0-9a-f]{64}$/);
    expect(url.searchParams.get("response-content-type")).toBe("application/octet-stream");
    expect(url.href).not.toContain("secret");
  });

  it.each([
    ["report.zip", `attachment; filename="report.zip"; filename*=UTF-8''report.zip`],
    ["größe 1.zip", `attachment; filename="gr__e 1.zip"; filename*=UTF-8''gr%C3%B6%C3%9Fe%201.zip`],
    [
      `a"; x="b'(1)*.zip`,
      `attachment; filename="a__ x=_b'(1)*.zip"; filename*=UTF-8''a%22%3B%20x%3D%22b%27%281%29%2a.zip`,
    ],
    ["a\r\nSet-Cookie: b", `attachment; filename="a__Set-Cookie: b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b`],
    ["half \ud800", `attachment; filename="half _"; filename*=UTF-8''half%20%EF%BF%BD`],
  ])("names the file so that nothing in the name ends early: %j", async (fileName, expected) => {
    expect((await linkTo(fileName)).get("response-content-disposition")).toBe(expected);
  });

  it("is not made for what is no key", async () => {
    await expect(presigner.get("../secrets", { seconds: 1, fileName: "x" })).rejects.toThrow("is not a key");
  });
});

describe("a link to store a file with", () => {
  it("is for that key, for so long, for exactly so many bytes, and for a key that has none yet", async () => {
    const { url, headers } = await presigner.put("uploads/1/2", { seconds: 900, bytes: 5 });
    const { pathname, searchParams } = new URL(url);
    expect(pathname).toBe("/uploads/1/2");
    expect(searchParams.get("X-Amz-Expires")).toBe("900");
    expect(searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;host;if-none-match");
    expect(headers).toEqual({ "if-none-match": "*" });
  });

  it("signs no checksum of the bytes, which are not known yet", async () => {
    const { url } = await presigner.put("uploads/1/2", { seconds: 900, bytes: 5 });
    expect([...new URL(url).searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
  });

  it("is not made for what is no key", async () => {
    await expect(presigner.put("uploads/../1", { seconds: 1, bytes: 1 })).rejects.toThrow("is not a key");
  });
});
