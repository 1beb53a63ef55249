/** Uploads as they go on AWS: a link that is signed for one size, S3 behind it, and the run that starts from it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiEvent, createApiHandler } from "../../lambdas/api.ts";
import { type ClientSettings, linkClient, s3Client } from "../../lib/aws/clients.ts";
import { createPresigner } from "../../lib/aws/presign.ts";
import { createS3Files } from "../../lib/aws/s3-files.ts";
import { createRunCommands } from "../../lib/control/lifecycle/run-commands.ts";
import type { World } from "../../lib/control/world.ts";
import type { FileStore } from "../../lib/core/ports.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
import { systemClock } from "../../lib/host/system-clock.ts";
import { type Machine, openMachine } from "../../lib/local/machine.ts";
import { rehearsalProfile } from "../../lib/model/open-model.ts";
import { createRehearsalModel } from "../../lib/model/rehearsal/player.ts";
import { packTree } from "../../lib/pack/pack.ts";
import { moto, type Running } from "../../packages/aws-rehearsal/emulators/emulators.ts";
import { verify } from "../../packages/aws-rehearsal/sigv4/sigv4.ts";
import { alwaysGreen } from "../doubles/machines.ts";

const credentials = { accessKeyId: "emulated", secretAccessKey: "emulated" };
const REGION = "us-east-1";
const home = mkdtempSync(join(tmpdir(), "l2mac-uploads-"));
let emulated: Running;
let machine: Machine;
let files: FileStore;
let handle: ReturnType<typeof createApiHandler>;
const failures: unknown[] = [];

beforeAll(async () => {
  if (!moto.isThere) return;
  emulated = await moto.start();
  const at: ClientSettings = { endpoint: emulated.endpoint, region: REGION, credentials };
  await s3Client(at).send(new CreateBucketCommand({ Bucket: "files" }));
  files = createS3Files({ client: s3Client(at), bucket: "files", clock: systemClock, random: Math.random });
  machine = openMachine({
    home,
    evaluator: alwaysGreen,
    model: async () => createRehearsalModel({ rehearsals: projectFile("rehearsals"), now: Date.now }),
  });
  const world: World = { ...machine.world, files };
  const packs = await builtInPacks();
  const presigner = createPresigner({ client: linkClient(at), bucket: "files" });
  handle = createApiHandler({
    ...world,
    runs: createRunCommands({ world, executions: { start: async () => {} } }),
    models: { choose: async () => ({ profile: rehearsalProfile(), server: {} }), missingKey: async () => undefined },
    packs: async (domain) => packs[domain],
    links: presigner,
    uploads: presigner,
    settings: { defaults: {}, install: false, longestWaitSeconds: 5 },
    onFailure: (error) => void failures.push(error),
  });
});

afterAll(async () => {
  machine?.close();
  await emulated?.stop();
  rmSync(home, { recursive: true, force: true });
});

async function ask(httpMethod: string, path: string, body?: unknown, user = "ada") {
  const event: ApiEvent = {
    ...{ httpMethod, path, isBase64Encoded: false, body: body === undefined ? null : JSON.stringify(body) },
    multiValueHeaders: { "content-type": ["application/json"] },
    multiValueQueryStringParameters: null,
    requestContext: { requestId: "r", stage: "v1", identity: { userArn: `arn:aws:iam::1:user/${user}` } },
  };
  const result = await handle(event);
  return { status: result.statusCode, json: JSON.parse(result.body) };
}

interface Link {
  id: string;
  url: string;
  headers: Record<string, string>;
}

const anUpload = async (bytes: number): Promise<Link> => (await ask("POST", "/uploads", { bytes })).json;
const put = ({ url, headers }: Link, body: Uint8Array): Promise<Response> =>
  fetch(url, { method: "PUT", headers, body: body.slice() });

/** What S3 itself would say of a request to this link: the emulator looks at no signature. */
function judged({ url }: Link, { headers, length }: { headers: Record<string, string>; length: number }): unknown {
  const { host, pathname, search } = new URL(url);
  return verify(
    {
      method: "PUT",
      target: pathname + search,
      headers: { host, ...headers, "content-length": String(length) },
      body: Buffer.alloc(length),
    },
    {
      iam: { find: () => ({ arn: "arn:aws:iam::1:role/api", name: "api", credentials }) },
      ...{ region: REGION, services: ["s3"], now: Date.now() },
    },
  );
}

const aZip = () => packTree(undefined, [{ path: "src/a.txt", content: new TextEncoder().encode("as it was\n") }]);

describe.skipIf(!moto.isThere)(`an upload, on ${moto.title}`, () => {
  it("becomes the tree that a run starts from", async () => {
    const zip = aZip();
    const link = await anUpload(zip.length);
    expect((await put(link, zip)).status).toBe(200);
    const submitted = await ask("POST", "/runs", { task: "Go on", uploads: { files: link.id } });
    expect(submitted.status).toBe(202);
    const { json } = await ask("GET", `/runs/${submitted.json.id}/files`);
    expect(json.files).toMatchObject([{ path: "src/a.txt", bytes: 10 }]);
    expect(failures).toEqual([]);
  });

  it("is stored once: the link cannot change what was stored", async () => {
    const zip = aZip();
    const link = await anUpload(zip.length);
    await put(link, zip);
    expect((await put(link, new Uint8Array(zip.length))).status).toBe(412);
    expect((await ask("POST", "/runs", { task: "Go on", uploads: { files: link.id } })).status).toBe(202);
  });

  it("has the size that was said, and the condition: S3 takes the signature for nothing else", async () => {
    const link = await anUpload(100);
    const { headers } = link;
    expect(judged(link, { headers, length: 100 })).toMatchObject({ service: "s3", presigned: true });
    for (const length of [99, 101, 0])
      expect(judged(link, { headers, length })).toMatchObject({ status: 403, code: "SignatureDoesNotMatch" });
    expect(judged(link, { headers: {}, length: 100 })).toMatchObject({ status: 403, code: "SignatureDoesNotMatch" });
    const elsewhere = { ...link, url: link.url.replace(link.id, "01M7YVNZYAJ2Z5GBS6FBWX9QJ3") };
    expect(judged(elsewhere, { headers, length: 100 })).toMatchObject({ status: 403 });
  });

  it("that was never stored, or by somebody else, is no start: 400, the field named", async () => {
    const zip = aZip();
    const link = await anUpload(zip.length);
    const submission = { task: "Go on", uploads: { files: link.id } };
    for (const who of ["ada", "bob"]) {
      if (who === "bob") await put(link, zip);
      const { status, json } = await ask("POST", "/runs", submission, who);
      expect({ status, fields: json.fields }).toMatchObject({ status: 400, fields: [{ field: "uploads.files" }] });
    }
  });

  it("that is no zip is refused when a run is to start from it, not by a failure", async () => {
    const link = await anUpload(4);
    await put(link, new TextEncoder().encode("text"));
    const { status, json } = await ask("POST", "/runs", { task: "Go on", uploads: { files: link.id } });
    expect({ status, fields: json.fields }).toMatchObject({ status: 400, fields: [{ field: "uploads.files" }] });
    expect(failures).toEqual([]);
  });

  it("of more than 112 MiB is not promised", async () => {
    const { status, json } = await ask("POST", "/uploads", { bytes: 112 * 1024 * 1024 + 1 });
    expect({ status, fields: json.fields }).toMatchObject({ status: 400, fields: [{ field: "bytes" }] });
  });
});
