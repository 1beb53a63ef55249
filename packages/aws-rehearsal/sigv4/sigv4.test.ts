/** Verifies signatures made by AWS's own signer and presigner and by curl. */
import { execFile } from "node:child_process";
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { SignatureV4 } from "@smithy/signature-v4";
import { describe, expect, it } from "vitest";
import type { Principal, WireRequest } from "../parts.ts";
import { type VerificationParts, verify } from "./sigv4.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const REGION = "eu-central-1";
const user = principal("AKIAUSER");
const session = principal("ASIASESSION", "a+token/with=signs");
const everybody = [user, session];

function principal(accessKeyId: string, sessionToken?: string): Principal {
  const credentials = {
    accessKeyId,
    secretAccessKey: `secret/of+${accessKeyId}`,
    ...(sessionToken ? { sessionToken } : {}),
  };
  return { arn: `arn:aws:iam::1:user/${accessKeyId}`, name: accessKeyId, credentials };
}

const verifying = (changed: Partial<VerificationParts> = {}): VerificationParts => ({
  iam: { find: (id) => everybody.find(({ credentials }) => credentials.accessKeyId === id) },
  region: REGION,
  services: ["execute-api", "s3", "dynamodb"],
  now: NOW,
  ...changed,
});

interface SigningOptions {
  who?: Principal;
  service?: string;
  method?: string;
  path?: string;
  query?: Record<string, string | string[]>;
  headers?: Record<string, string>;
  body?: string;
  at?: number;
}

const HOST = "127.0.0.1:4000";

async function signed(signing: SigningOptions = {}): Promise<WireRequest> {
  const {
    who = session,
    service = "execute-api",
    method = "POST",
    path = "/v1/runs",
    query = {},
    headers = {},
    body = "{}",
    at = NOW,
  } = signing;
  const signer = new SignatureV4({
    service,
    region: REGION,
    credentials: who.credentials,
    sha256: Sha256,
    uriEscapePath: service !== "s3",
  });
  const asked = {
    method,
    protocol: "http:",
    hostname: "127.0.0.1",
    port: 4000,
    path,
    query,
    headers: { host: HOST, ...headers },
    body,
  };
  const made = await signer.sign(asked, { signingDate: new Date(at) });
  const search = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  const target = search.length > 0 ? `${path}?${search.join("&")}` : path;
  return { method, target, headers: made.headers, body: Buffer.from(body) };
}

const code = (answer: ReturnType<typeof verify>): string =>
  "code" in answer ? answer.code : `${answer.service} of ${answer.principal.name}`;

describe("a signature of AWS's signer is taken", () => {
  it.each([
    ["with a session's token", {}],
    ["of a user, who has none", { who: user }],
    ["with a query", { method: "GET", body: "", query: { q: "a b", cursor: "x/y+z=", limit: "10" } }],
    ["with a parameter that occurs twice in the query", { query: { tag: ["b", "a"] } }],
    ["with an empty value in the query", { query: { delete: "" } }],
    ["with an encoded path", { path: "/v1/runs/a%20b/%C3%BC" }],
    ["with dots in the path", { path: "/v1/runs/../runs/1" }],
    [
      "with headers of its own, spaces in them",
      { headers: { "x-amz-target": "DynamoDB_20120810.GetItem", "if-match": 'a   "b"' } },
    ],
    ["for S3, whose paths are encoded once", { service: "s3", path: "/files/runs/a%20b/%C3%BC%281%29.txt" }],
  ] satisfies [string, SigningOptions][])("%s", async (_, signing: SigningOptions) => {
    const { service = "execute-api", who = session } = signing;
    expect(code(verify(await signed(signing), verifying()))).toBe(`${service} of ${who.name}`);
  });
});

describe("refused is", () => {
  const refused = async (
    signing: SigningOptions,
    change: Partial<WireRequest> = {},
    changed: Partial<VerificationParts> = {},
  ) => {
    const request = await signed(signing);
    return code(verify({ ...request, ...change }, verifying(changed)));
  };

  it("a body that is not the one that was signed", async () => {
    expect(await refused({}, { body: Buffer.from("[]") })).toBe("InvalidSignatureException");
    expect(await refused({ service: "s3" }, { body: Buffer.from("[]") })).toBe("XAmzContentSHA256Mismatch");
  });

  it("another path, query or method", async () => {
    for (const change of [{ target: "/v1/run" }, { target: "/v1/runs?limit=9" }, { method: "PUT" }]) {
      expect(await refused({}, change)).toBe("InvalidSignatureException");
      expect(await refused({ service: "s3" }, change)).toBe("SignatureDoesNotMatch");
    }
  });

  it("another host than the one that was signed", async () => {
    const { headers } = await signed();
    expect(await refused({}, { headers: { ...headers, host: "elsewhere" } })).toBe("InvalidSignatureException");
  });

  it("an unsigned AWS header", async () => {
    const { headers } = await signed({ service: "s3" });
    const more = { headers: { ...headers, "x-amz-acl": "public-read" } };
    const answer = verify({ ...(await signed({ service: "s3" })), ...more }, verifying());
    expect(answer).toMatchObject({ status: 403, code: "AccessDenied", message: expect.stringContaining("x-amz-acl") });
  });

  it("a header that was signed and not sent, as some versions of curl do with an empty one", async () => {
    const whole = await signed({ who: user, headers: { "x-note": "" } });
    const { "x-note": _unsent, ...sent } = whole.headers;
    expect(code(verify({ ...whole, headers: sent }, verifying()))).toBe("IncompleteSignatureException");
    expect(code(verify(whole, verifying()))).toBe("execute-api of AKIAUSER");
  });

  it("another Region, and a service that does not listen here", async () => {
    expect(await refused({}, {}, { region: "us-east-1" })).toBe("InvalidSignatureException");
    expect(await refused({ service: "s3" }, {}, { region: "us-east-1" })).toBe("AuthorizationHeaderMalformed");
    expect(await refused({ service: "sts" })).toBe("InvalidSignatureException");
  });

  it("a date more than a quarter of an hour away, in either direction", async () => {
    const minutes = (count: number) => ({ at: NOW + count * 60_000 });
    expect(await refused(minutes(-14))).toMatch(/^execute-api/);
    expect(await refused(minutes(14))).toMatch(/^execute-api/);
    expect(verify(await signed(minutes(-16)), verifying())).toMatchObject({
      status: 403,
      message: "Signature expired: 20261121T114400Z is now earlier than 20261121T114500Z",
    });
    expect(verify(await signed(minutes(16)), verifying())).toMatchObject({
      message: "Signature not yet current: 20261121T121600Z is still later than 20261121T121500Z",
    });
    expect(await refused({ service: "s3", ...minutes(16) })).toBe("RequestTimeTooSkewed");
  });

  it("an unknown key, an expired session, and a wrong session token", async () => {
    expect(await refused({ who: principal("AKIANOBODY") })).toBe("UnrecognizedClientException");
    expect(await refused({ who: principal("AKIANOBODY"), service: "s3" })).toBe("InvalidAccessKeyId");
    expect(
      await refused({ who: { ...session, credentials: { ...session.credentials, sessionToken: "another" } } }),
    ).toBe("UnrecognizedClientException");
    const withoutToken = { accessKeyId: "ASIASESSION", secretAccessKey: session.credentials.secretAccessKey };
    expect(await refused({ who: { ...session, credentials: withoutToken }, service: "s3" })).toBe("InvalidToken");
    const iam = { ...verifying().iam, isExpired: () => true };
    expect(await refused({}, {}, { iam })).toBe("ExpiredTokenException");
  });

  it("a secret that is not the key's", async () => {
    const wrong = { ...user.credentials, secretAccessKey: "guessed" };
    expect(await refused({ who: { ...user, credentials: wrong } })).toBe("InvalidSignatureException");
  });

  it("no signature at all, and one that is none", async () => {
    expect(await refused({}, { headers: { host: HOST } })).toBe("AccessDenied");
    expect(await refused({}, { headers: { host: HOST } }, { services: ["execute-api"] })).toBe(
      "MissingAuthenticationTokenException",
    );
    expect(
      await refused({}, { headers: { host: HOST, authorization: "Bearer me" } }, { services: ["execute-api"] }),
    ).toBe("IncompleteSignatureException");
  });

  it("for S3, a request that does not tell the hash of its body", async () => {
    const request = await signed({ service: "s3" });
    const { "x-amz-content-sha256": _, ...headers } = request.headers;
    expect(code(verify({ ...request, headers }, verifying()))).toBe("XAmzContentSHA256Mismatch");
  });
});

describe("a presigned URL", () => {
  const client = new S3Client({ region: REGION, endpoint: `http://${HOST}`, credentials: session.credentials });
  const presign = async (command: GetObjectCommand | PutObjectCommand): Promise<string> => {
    const url = await getSignedUrl(client, command, { expiresIn: 900, signingDate: new Date(NOW) });
    return url.slice(`http://${HOST}`.length);
  };
  const get = () =>
    presign(
      new GetObjectCommand({
        Bucket: "files",
        Key: "runs/a b/(1).zip",
        ResponseContentDisposition: 'attachment; filename="ü"',
      }),
    );
  const asked = (target: string, method = "GET", body = ""): WireRequest => ({
    method,
    target,
    headers: { host: HOST },
    body: Buffer.from(body),
  });

  it("is taken as its signer's, without a header", async () => {
    expect(verify(asked(await get()), verifying())).toMatchObject({
      principal: session,
      service: "s3",
      presigned: true,
    });
  });

  it("for a PUT takes whatever body comes", async () => {
    const target = await presign(new PutObjectCommand({ Bucket: "files", Key: "runs/upload" }));
    expect(code(verify(asked(target, "PUT", "anything"), verifying()))).toBe("s3 of ASIASESSION");
    expect(code(verify(asked(target, "GET"), verifying()))).toBe("SignatureDoesNotMatch");
  });

  it("ends when it says", async () => {
    const target = await get();
    expect(code(verify(asked(target), verifying({ now: NOW + 899_000 })))).toBe("s3 of ASIASESSION");
    expect(verify(asked(target), verifying({ now: NOW + 901_000 }))).toMatchObject({
      status: 403,
      message: "Request has expired",
    });
  });

  it("is for its key, its time and its answer's name only", async () => {
    const target = await get();
    for (const changed of [
      target.replace("%281%29", "%282%29"),
      target.replace("Expires=900", "Expires=9000"),
      target.replace("attachment", "inline"),
    ])
      expect(code(verify(asked(changed), verifying()))).toBe("SignatureDoesNotMatch");
    expect(code(verify(asked(target.replace("Expires=900", "Expires=999999")), verifying()))).toBe(
      "AuthorizationHeaderMalformed",
    );
  });

  it("does not go with another session's token", async () => {
    const target = await get();
    expect(code(verify(asked(target.replace(/Security-Token=[^&]+/, "Security-Token=another")), verifying()))).toBe(
      "InvalidToken",
    );
  });
});

describe("curl --aws-sigv4", () => {
  /** What arrives when curl asks. */
  async function fromCurl(path: string, ...options: string[]): Promise<WireRequest> {
    const arrived = Promise.withResolvers<WireRequest>();
    const server = createServer(async (request, response) => {
      const { method = "", url: target = "", headers } = request;
      arrived.resolve({ method, target, headers: headers as Record<string, string>, body: await buffer(request) });
      response.end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { accessKeyId, secretAccessKey, sessionToken } = session.credentials;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const signing = ["--aws-sigv4", `aws:amz:${REGION}:execute-api`, "--user", `${accessKeyId}:${secretAccessKey}`];
    await promisify(execFile)("curl", [
      "-s",
      ...signing,
      "-H",
      `x-amz-security-token: ${sessionToken}`,
      ...options,
      url,
    ]);
    server.close();
    return arrived.promise;
  }
  const now = () => verifying({ now: Date.now() });

  it("is taken, with a body", async () => {
    const request = await fromCurl("/v1/runs", "-H", "content-type: application/json", "-d", '{"task":"A rehearsal."}');
    expect(code(verify(request, now()))).toBe("execute-api of ASIASESSION");
    expect(code(verify({ ...request, body: Buffer.from("{}") }, now()))).toBe("InvalidSignatureException");
  });

  it("is taken, with a query", async () => {
    const request = await fromCurl("/v1/runs?limit=10&status=running");
    expect(code(verify(request, now()))).toBe("execute-api of ASIASESSION");
    expect(code(verify({ ...request, target: "/v1/runs?limit=10" }, now()))).toBe("InvalidSignatureException");
  });
});

type Bytes = string | ArrayBuffer | ArrayBufferView;

/** Node's own, as the signer asks for it. */
class Sha256 {
  readonly #hash: Hash | Hmac;
  constructor(secret?: Bytes) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
  }
  update(chunk: Bytes): void {
    this.#hash.update(bytesOf(chunk));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

const bytesOf = (data: Bytes): string | Uint8Array => {
  if (typeof data === "string" || data instanceof Uint8Array) return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};
