/** The command against an API that wants signatures, over TLS: whose credentials it takes, and where they never go. */
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verify } from "../../packages/aws-rehearsal/sigv4/sigv4.ts";
import { aBench } from "../doubles/command.ts";
import type { Heard } from "../servers/scripted-api.ts";

const missing = spawnSync("openssl", ["version"]).error !== undefined;
const REGION = "eu-central-1";
const credentials = {
  accessKeyId: "ASIATESTKEYOFNOBODY1",
  secretAccessKey: "the-secret/of+nobody",
  sessionToken: "SESSIONTOKENofnobody",
};
const env = {
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_SESSION_TOKEN: credentials.sessionToken,
  AWS_REGION: REGION,
  AWS_EC2_METADATA_DISABLED: "true",
};

let folder: string;
let server: Server;
let url: string;
let heard: Heard[];
let refused: boolean;
beforeAll(async () => {
  if (missing) return;
  folder = mkdtempSync(join(tmpdir(), "l2mac-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", [...made, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    heard.push({ method, path, headers, body: await buffer(request) });
    const elsewhere = path.startsWith("/elsewhere");
    if (refused && !elsewhere) {
      const message = `The signature does not match. The Canonical String was '${credentials.sessionToken}'`;
      response.writeHead(403, { "content-type": "application/problem+json" }).end(JSON.stringify({ detail: message }));
    } else if (elsewhere) response.end('{"runs": []}');
    else response.writeHead(303, { location: `${url.replace("/v1", "")}/elsewhere?X-Amz-Signature=s` }).end();
  });
  await once(server.listen(0, "localhost"), "listening");
  url = `https://localhost:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  heard = [];
  refused = false;
});

async function list(over: Record<string, string> = env) {
  const bench = aBench({ L2MAC_API_URL: url, NODE_EXTRA_CA_CERTS: join(folder, "cert.pem"), ...over });
  const ended = await bench.run(["list"]);
  bench.remove();
  return ended;
}

describe.skipIf(missing)(`a signed command${missing ? " (skipped: openssl is missing)" : ""}`, () => {
  it("is known by its signature, and takes no credentials to where it is sent for the answer", async () => {
    expect(await list()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Remote: ${url} as the credentials in the environment (L2MAC_API_URL)`),
    });
    const [asked, fetched] = heard;
    const iam = { find: () => ({ name: "nobody", arn: "", policies: [], credentials }) };
    const request = { method: "GET", target: asked?.path, headers: asked?.headers, body: asked?.body };
    const verifying = { iam, region: REGION, services: ["execute-api"], now: Date.now() };
    expect(verify(request as never, verifying as never)).toMatchObject({ principal: { name: "nobody" } });
    expect(Object.keys(fetched?.headers ?? {}).filter((name) => /^(authorization|x-amz-.*)$/.test(name))).toEqual([]);
    expect(fetched?.path).toBe("/elsewhere?X-Amz-Signature=s");
  });

  it("is signed for the region of the profile, where nothing else tells one", async () => {
    const { AWS_REGION: _region, AWS_SESSION_TOKEN: _token, ...rest } = env;
    const config = join(folder, "aws-config");
    writeFileSync(
      config,
      "[profile work]\nregion = ap-south-1\naws_access_key_id = AKIAOFWORK\naws_secret_access_key = s\n",
    );
    const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _secret, ...profile } = rest;
    expect(await list({ ...profile, AWS_CONFIG_FILE: config, AWS_PROFILE: "work" })).toMatchObject({ code: 0 });
    expect(heard[0]?.headers.authorization).toMatch(/Credential=AKIAOFWORK\/\d{8}\/ap-south-1\/execute-api\//);
  });

  it("that is refused ends with 3, says whose credentials to look at, and shows nothing of them", async () => {
    refused = true;
    const { code, stdout, stderr } = await list({ ...env, L2MAC_DEBUG: "1" });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain("does not let these credentials in: The signature does not match.");
    expect(stderr).toContain("aws sts get-caller-identity");
    for (const secret of Object.values(credentials)) expect(stderr).not.toContain(secret);
  });

  it("without credentials asks nothing, ends with 3, and says how to sign in", async () => {
    const { code, stderr } = await list({ AWS_REGION: REGION, AWS_EC2_METADATA_DISABLED: "true" });
    expect({ code, asked: heard.length }).toEqual({ code: 3, asked: 0 });
    expect(stderr).toMatch(/No AWS credentials were found: [\s\S]*Next: Sign in \(aws sso login/);
  });

  it("of a profile that is not there says so", async () => {
    const { code, stderr } = await list({
      AWS_REGION: REGION,
      AWS_PROFILE: "nobody",
      AWS_EC2_METADATA_DISABLED: "true",
    });
    expect({ code, asked: heard.length }).toEqual({ code: 3, asked: 0 });
    expect(stderr).toContain("There is no AWS profile nobody");
  });

  it("speaks to no server whose certificate is not known", async () => {
    const { code, stderr } = await list({ ...env, NODE_EXTRA_CA_CERTS: "" });
    expect({ code, asked: heard.length }).toEqual({ code: 3, asked: 0 });
    expect(stderr).toContain("cannot be reached: its certificate is its own");
  });
});
