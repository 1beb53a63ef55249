import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verify } from "../../packages/aws-rehearsal/sigv4/sigv4.ts";
import { createSigner, type Unsigned, withQuery } from "./sign.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const REGION = "eu-west-1";
const HOST = "https://abcdef1234.execute-api.eu-west-1.amazonaws.com/v1";
const credentials = {
  accessKeyId: "ASIATESTKEYOFNOBODY1",
  secretAccessKey: "a-secret/with+characters",
  sessionToken: "a-session-token==",
};

const signer = (over: Partial<Parameters<typeof createSigner>[0]> = {}) =>
  createSigner({ credentials: async () => credentials, region: REGION, now: () => NOW, ...over });

const known = { name: "somebody", arn: "arn:aws:iam::123456789012:user/somebody", credentials, policies: [] };

/** As an independent reader of the specification finds it. */
async function verified({ method, url, headers, body = "" }: Unsigned, sent: Record<string, string>) {
  const request = {
    method,
    target: `${url.pathname}${url.search}`,
    headers: { ...sent, ...headers, host: url.host },
    body: Buffer.from(body),
  };
  const iam = { find: (id: string) => (id === credentials.accessKeyId ? known : undefined) };
  return verify(request as never, { iam: iam as never, region: REGION, services: ["execute-api"], now: NOW });
}

describe("a signature", () => {
  it("holds for whatever stands in path, query and body", async () => {
    const sign = signer();
    const text = fc.string({ unit: "binary", maxLength: 40 });
    const segment = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 });
    const query = fc.dictionary(fc.constantFrom("path", "at", "q", "cursor", "a b"), text);
    await fc.assert(
      fc.asyncProperty(segment, query, fc.option(text, { nil: undefined }), async (name, asked, body) => {
        const url = withQuery(`${HOST}/runs/${encodeURIComponent(name)}/file`, asked);
        const request = { method: body === undefined ? "GET" : "POST", url, headers: {}, body };
        const sent = await sign(request);
        expect(await verified(request, sent)).toMatchObject({ service: "execute-api", presigned: false });
      }),
      { numRuns: 300 },
    );
  });

  it("is over a query of which nothing can be read in two ways", () => {
    const { search } = withQuery(HOST, { path: "a b+(c)!*'~ä/é?&=", at: 3, none: undefined });
    expect(search).toBe("?path=a%20b%2B%28c%29%21%2A%27~%C3%A4%2F%C3%A9%3F%26%3D&at=3");
  });

  it("covers what is sent: another body, path or query is refused", async () => {
    const url = withQuery(`${HOST}/runs`, { q: "one" });
    const request = { method: "POST", url, headers: { "content-type": "application/json" }, body: "{}" };
    const sent = await signer()(request);
    expect(await verified({ ...request, body: "{ }" }, sent)).not.toHaveProperty("principal");
    expect(await verified({ ...request, url: withQuery(`${HOST}/runs`, { q: "two" }) }, sent)).not.toHaveProperty(
      "principal",
    );
    expect(await verified({ ...request, headers: { "content-type": "text/plain" } }, sent)).not.toHaveProperty(
      "principal",
    );
  });

  it("is made again with the credentials that hold at the time", async () => {
    let count = 0;
    const sign = signer({
      credentials: async () => {
        count += 1;
        return { ...credentials, accessKeyId: `KEY${count}` };
      },
    });
    const request = { method: "GET", url: withQuery(`${HOST}/runs`), headers: {} };
    const keys = [await sign(request), await sign(request)].map(({ authorization }) => authorization?.slice(0, 33));
    expect(keys).toEqual(["AWS4-HMAC-SHA256 Credential=KEY1/", "AWS4-HMAC-SHA256 Credential=KEY2/"]);
  });
});

const hasCurl = /AWS|aws-sigv4/i.test(spawnSync("curl", ["--help", "all"], { encoding: "utf8" }).stdout ?? "");

describe.skipIf(!hasCurl)(
  `a signature beside curl's${hasCurl ? "" : " (skipped: curl with --aws-sigv4 is missing)"}`,
  () => {
    let heard: IncomingHttpHeaders = {};
    const server = createServer((request, response) => {
      heard = request.headers;
      request.resume().on("end", () => response.end());
    });
    beforeAll(async () => {
      await once(server.listen(0, "127.0.0.1"), "listening");
    });
    afterAll(() => void server.close());

    it.each([
      ["GET", "/v1/runs", undefined],
      ["GET", "/v1/runs/01M7Z1RMSGY01SPAVCS1MK33SH/events?after=3&wait=20", undefined],
      ["POST", "/v1/runs", '{"task":"Größe"}'],
    ])("is the same for %s %s", async (method, target, body) => {
      const { port } = server.address() as AddressInfo;
      const url = new URL(`http://127.0.0.1:${port}${target}`);
      const user = `${credentials.accessKeyId}:${credentials.secretAccessKey}`;
      const type = { "content-type": "application/json" };
      const curl = spawn("curl", [
        ...["-sS", "-X", method, "--aws-sigv4", `aws:amz:${REGION}:execute-api`, "--user", user],
        ...(body === undefined ? [] : ["-H", "content-type: application/json", "--data-binary", body]),
        url.href,
      ]);
      expect(await once(curl, "close")).toEqual([0, null]);
      const date = String(heard["x-amz-date"]).replace(/(....)(..)(..)T(..)(..)(..)Z/, "$1-$2-$3T$4:$5:$6Z");
      const { accessKeyId, secretAccessKey } = credentials;
      const sign = signer({
        credentials: async () => ({ accessKeyId, secretAccessKey }),
        now: () => Date.parse(date),
      });
      const signed = await sign({ method, url, headers: body === undefined ? {} : type, body });
      const signedBy = (authorization = "") => /SignedHeaders=([^,]*)/.exec(authorization)?.[1]?.split(";") ?? [];
      // curl signs no hash of the body in a header of its own: with the same headers the signatures are the same.
      expect(signedBy(signed.authorization).filter((name) => name !== "x-amz-content-sha256")).toEqual(
        signedBy(heard.authorization),
      );
      const request = { method, url, headers: heard as Record<string, string>, body };
      const iam = { find: () => ({ ...known, credentials: { accessKeyId, secretAccessKey } }) };
      const asRead = (headers: IncomingHttpHeaders) =>
        verify({ method, target, headers: { ...headers, host: url.host }, body: Buffer.from(body ?? "") } as never, {
          iam: iam as never,
          region: REGION,
          services: ["execute-api"],
          now: Date.parse(date),
        });
      expect([asRead(request.headers), asRead({ ...(body === undefined ? {} : type), ...signed })]).toEqual([
        expect.objectContaining({ service: "execute-api" }),
        expect.objectContaining({ service: "execute-api" }),
      ]);
    });
  },
);
