/** A whole run through the bundles as they are deployed: each call a process of its own, AWS played by emulators. */

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { CreateSecretCommand, PutSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientSettings, dynamoClient, s3Client, secretsClient } from "../../lib/aws/clients.ts";
import { createDynamoTable } from "../../lib/aws/dynamo-table.ts";
import { createS3Files } from "../../lib/aws/s3-files.ts";
import { bundleFunctions } from "../../lib/cloud/bundle.ts";
import { layEvaluatorImage } from "../../lib/cloud/evaluator-image.ts";
import type { World } from "../../lib/control/world.ts";
import { HANDLER_ANSWER_BYTES, ZIP_BYTES } from "../../lib/core/limits.ts";
import type { HandlerAnswer } from "../../lib/core/program/advance.ts";
import { readProjectFont } from "../../lib/files/project-fonts.ts";
import { systemClock } from "../../lib/host/system-clock.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { createRegistry } from "../../lib/registry/registry.ts";
import { dynoxide, moto, type Running } from "../../packages/aws-rehearsal/emulators/emulators.ts";
import { nothingToCheck } from "../doubles/machines.ts";
import { NO_EVIDENCE } from "../doubles/no-evidence.ts";
import { tableDefinition } from "../doubles/table-definition.ts";
import { converseAnswer } from "../servers/provider-examples.ts";
import { converseStream, frames } from "../servers/provider-streams.ts";
import { startScriptedServer } from "../servers/scripted-openai.ts";

const credentials = { accessKeyId: "emulated", secretAccessKey: "emulated" };
const REGION = "us-east-1";
const TRACE = "1-5759e988-bd862e3fe1be46a994272793";
const HERE = { TABLE_NAME: "registry", BUCKET_NAME: "files" };
const folder = mkdtempSync(join(tmpdir(), "l2mac-deployed-"));
const running: Running[] = [];
let lambda: Server;
let env: Record<string, string>;
let secrets: SecretsManagerClient;
let world: World;
const tenants: string[] = [];
const started: { name?: string; input?: string }[] = [];
const logged: string[] = [];

/** What a function prints is its log; its answer comes through another door. */
async function call(name: string, exported: string, event: unknown): Promise<string> {
  const script = `
    import { readFileSync, writeSync } from "node:fs";
    const module = await import("./entry.mjs");
    const context = { awsRequestId: "request", functionName: "${name}", getRemainingTimeInMillis: () => 600_000 };
    const answer = await module.${exported}(JSON.parse(readFileSync(0, "utf8")), context);
    writeSync(3, JSON.stringify(answer));
    if ("${exported}" === "api") console.error("used " + process.resourceUsage().maxRSS + " KiB");
    process.exit(0);`;
  return new Promise((resolve, reject) => {
    const argv = ["-c", 'exec "$0" "$@" 3>&1 >&2', process.execPath, "--input-type=module", "-e", script];
    const child = execFile(
      "sh",
      argv,
      { cwd: join(folder, name), env, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (exported !== "handler") logged.push(...stderr.split("\n").filter((line) => line !== ""));
        if (error) reject(new Error(stderr.slice(-2_000)));
        else resolve(stdout);
      },
    );
    child.stdin?.end(JSON.stringify(event));
  });
}

beforeAll(async () => {
  if (!dynoxide.isThere || !moto.isThere) return;
  for (const [name, from] of [
    ["functions", bundleFunctions(join(folder, "built")).folder],
    ["evaluator", layEvaluatorImage(join(folder, "laid"))],
  ] as const)
    cpSync(from, join(folder, name), { recursive: true });
  const [dynamo, s3] = await Promise.all([dynoxide.start(), moto.start()]);
  running.push(dynamo, s3);
  lambda = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request));
    if (request.headers["x-amz-target"] === "AWSStepFunctions.StartExecution") {
      started.push(asked);
      response.end(JSON.stringify({ executionArn: "arn:aws:states:us-east-1:1:execution:it", startDate: 1 }));
      return;
    }
    tenants.push(String(request.headers["x-amz-tenant-id"]));
    response.setHeader("x-amzn-requestid", `evaluation-${tenants.length}`);
    response.end(await call("evaluator", "handler", asked));
  });
  await new Promise<void>((listening) => lambda.listen(0, "127.0.0.1", listening));
  const scratch = join(folder, "scratch");
  mkdirSync(scratch);
  env = {
    ...HERE,
    ...{ PATH: process.env.PATH ?? "", L2MAC_SCRATCH: scratch, AWS_REGION: REGION },
    ...{
      EVALUATOR_FUNCTION: "evaluator",
      EVALUATOR_TENANTS: "true",
      POWERTOOLS_SERVICE_NAME: "L2mac",
      POWERTOOLS_METRICS_NAMESPACE: "L2MAC",
    },
    ...{ AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
    AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    AWS_ENDPOINT_URL_LAMBDA: `http://127.0.0.1:${(lambda.address() as AddressInfo).port}`,
    AWS_ENDPOINT_URL_SFN: `http://127.0.0.1:${(lambda.address() as AddressInfo).port}`,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: s3.endpoint,
    ...{ STATE_MACHINE_ARN: "arn:aws:states:us-east-1:1:stateMachine:it", SECRET_ID: "model-key" },
    _X_AMZN_TRACE_ID: `Root=${TRACE};Parent=53995c3f42cd8ad8;Sampled=1`,
  };
  secrets = secretsClient({ endpoint: s3.endpoint, region: REGION, credentials });
  await secrets.send(new CreateSecretCommand({ Name: env.SECRET_ID }));
  world = await emulatedWorld({ dynamo: dynamo.endpoint, s3: s3.endpoint });
});

afterAll(async () => {
  lambda?.close();
  await Promise.all(running.map((each) => each.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function emulatedWorld(endpoints: { dynamo: string; s3: string }): Promise<World> {
  const at = (endpoint: string): ClientSettings => ({ endpoint, region: REGION, credentials });
  const waiting = { clock: systemClock, random: Math.random };
  const dynamo = dynamoClient(at(endpoints.dynamo));
  const s3 = s3Client(at(endpoints.s3));
  await dynamo.send(new CreateTableCommand(tableDefinition(HERE.TABLE_NAME)));
  await s3.send(new CreateBucketCommand({ Bucket: HERE.BUCKET_NAME }));
  const table = createDynamoTable({ client: dynamo, tableName: HERE.TABLE_NAME, ...waiting });
  return {
    ...waiting,
    registry: createRegistry({ table, clock: systemClock }),
    files: createS3Files({ client: s3, bucket: HERE.BUCKET_NAME, ...waiting }),
    model: () => Promise.reject(new Error("only the bundle asks a model")),
    evaluator: nothingToCheck,
    readFont: readProjectFont,
  };
}

/** As API Gateway calls the API's function. */
async function request(httpMethod: string, path: string, body?: unknown, userArn = "arn:aws:iam::1:user/ada") {
  const event = {
    ...{ httpMethod, path, isBase64Encoded: false, body: body === undefined ? null : JSON.stringify(body) },
    multiValueHeaders: { "content-type": ["application/json"] },
    multiValueQueryStringParameters: null,
    requestContext: { requestId: "request", stage: "v1", domainName: "api.example", identity: { userArn } },
  };
  const { statusCode, body: said } = JSON.parse(await call("functions", "api", event));
  return { status: Number(statusCode), body: JSON.parse(said) as Record<string, unknown> };
}

/** As the state machine goes, without its waits. */
async function computeThroughBundle(runId: string): Promise<string[]> {
  const states = ["plan"];
  for (;;) {
    const state = states.at(-1) ?? "plan";
    const said = await call("functions", state, { runId, epoch: 1, last: false });
    expect(said.length).toBeLessThanOrEqual(HANDLER_ANSWER_BYTES);
    const { next } = JSON.parse(said) as HandlerAnswer;
    if (next === "stop" || states.length > 50) return states;
    states.push(next === "wait" ? state : next);
  }
}

const isLogged = (line: string): boolean => line.startsWith("{");
const UPLOAD_BYTES = ZIP_BYTES;
/** As the stack has it. */
const API_MEMORY_MB = 1_024;

const there = dynoxide.isThere && moto.isThere;
describe.skipIf(!there)(`what is deployed, on ${dynoxide.title} and ${moto.title}`, () => {
  it("computes a run of the rehearsal model from a request to the zip behind a link, its tests run by the evaluator's function", async () => {
    const submitted = await request("POST", "/runs", { task: "A rehearsal.", model: "rehearsal", ...NO_EVIDENCE });
    expect(submitted.status).toBe(202);
    const id = String(submitted.body.id);
    expect(started).toMatchObject([{ name: `${id}-1`, input: JSON.stringify({ runId: id, epoch: 1 }) }]);
    const states = await computeThroughBundle(id);
    const run = await world.registry.run(id);
    expect(run).toMatchObject({ status: "completed", testsSeen: true });
    expect(run?.testsPassed).toBeGreaterThan(0);
    expect(states).toEqual(["plan", ...Array(run?.instructions ?? 0).fill("execute"), "deliver"]);

    const { body } = await request("GET", `/runs/${id}/output`);
    const zip = new Uint8Array(await (await fetch(String(body.url))).arrayBuffer());
    expect(unpackTree(zip).size).toBe(run?.files);
    expect((await request("GET", `/runs/${id}`, undefined, "arn:aws:iam::1:user/eve")).status).toBe(404);
    expect(new Set(tenants)).toEqual(new Set([id]));

    const { body: answer } = await request("GET", `/runs/${id}/events`);
    const verdicts = (answer.events as Record<string, unknown>[]).filter(({ type }) => type === "verdict");
    expect(verdicts.length).toBeGreaterThan(0);
    for (const { evaluator } of verdicts)
      expect(evaluator).toEqual({ requestId: expect.stringMatching(/^evaluation-\d+$/), traceId: TRACE });
    const [{ instruction, turn, evaluator } = {}] = verdicts;
    const { body: shown } = await request("GET", `/runs/${id}/turns/${instruction}/${turn}`);
    expect((shown.effects as { verdicts: unknown[] }).verdicts).toContainEqual(expect.objectContaining({ evaluator }));
  }, 300_000);

  it("logs lines that name the run and its instruction, and nothing of their content", async () => {
    const lines = logged.filter(isLogged).map((line) => JSON.parse(line) as Record<string, unknown>);
    const answers = lines.filter(({ message }) => message === "answered");
    expect(answers.length).toBeGreaterThan(2);
    for (const line of answers)
      expect(line).toMatchObject({ runId: expect.any(String), instruction: expect.any(Number), epoch: 1 });
    expect(logged.join("\n")).not.toMatch(/A rehearsal|export|import /);
  });

  it("takes a task for a model only while the model server's key is set, and a rehearsal always", async () => {
    const asked = { task: "A task.", model: "gpt-5", budget: { usd: 1 } };
    const before = await request("POST", "/runs", asked);
    expect(before).toMatchObject({ status: 409, body: { type: "urn:l2mac:problem:model-key-not-set" } });
    expect(before.body.next).toMatchObject({ note: expect.stringMatching(/put-secret-value --secret-id model-key /) });
    expect((await request("POST", "/runs", { task: "A rehearsal.", model: "rehearsal" })).status).toBe(202);

    await secrets.send(new PutSecretValueCommand({ SecretId: env.SECRET_ID, SecretString: "sk-emulated\n" }));
    const after = await request("POST", "/runs", asked);
    expect(after.status).toBe(202);
    const id = String(after.body.id);
    const run = await world.registry.run(id);
    await world.registry.commit(await world.registry.claimForEnding(id, run?.epoch ?? 0), {
      run: { status: "failed", reason: "credentials" },
    });

    await secrets.send(new PutSecretValueCommand({ SecretId: env.SECRET_ID, SecretString: "not-set" }));
    const refused = await request("POST", `/runs/${id}/resume`, {});
    expect(refused).toMatchObject({ status: 409, body: { type: "urn:l2mac:problem:model-key-not-set" } });
    expect(await world.registry.run(id)).toMatchObject({ status: "failed", epoch: 1 });
    await secrets.send(new PutSecretValueCommand({ SecretId: env.SECRET_ID, SecretString: "sk-emulated" }));
    expect((await request("POST", `/runs/${id}/resume`, {})).status).toBe(202);
    expect(started.at(-1)?.name).toBe(`${id}-2`);
  });

  it("tells CloudWatch what a call of a model cost, and nothing where nothing was spent", async () => {
    const spentIn = () =>
      logged
        .filter(isLogged)
        .map((line) => JSON.parse(line) as { Spend?: number; service?: string; _aws?: unknown })
        .filter(({ _aws }) => _aws !== undefined);
    expect(spentIn()).toEqual([]);
    const instructions = [{ title: "One", text: "Write one file.", requirements: [] }];
    const answer = () => ({ toolCalls: [{ name: "write_program", arguments: { instructions } }] });
    const model = await startScriptedServer({ answer });
    env.DEFAULT_BASE_URL = model.url;
    try {
      const priced = { model: "scripted", price: { input: 1, output: 2 }, contextWindow: 32_000, reflect: 0 };
      const { status, body } = await request("POST", "/runs", { task: "A task.", ...priced });
      expect({ status, body }).toMatchObject({ status: 202 });
      await call("functions", "plan", { runId: body.id, epoch: 1, last: false });
      const run = await world.registry.run(String(body.id));
      expect(run?.microUsd).toBeGreaterThan(0);
      expect(spentIn()).toEqual([expect.objectContaining({ service: "L2mac", Spend: (run?.microUsd ?? 0) / 1e6 })]);
    } finally {
      delete env.DEFAULT_BASE_URL;
      await model.close();
    }
  });

  it("asks a model of Bedrock with the function's role, without a key, and no model that was not allowed", async () => {
    const model = "bedrock/us.anthropic.claude-sonnet-4-6";
    const asked: { path: string; authorization: string }[] = [];
    const instructions = [{ title: "One", text: "Write one file.", requirements: [] }];
    const toolUse = { toolUseId: "tooluse_1", name: "write_program", input: { instructions } };
    const answer = { ...converseAnswer, output: { message: { role: "assistant", content: [{ toolUse }] } } };
    const bedrock = createServer(async (request, response) => {
      await text(request);
      asked.push({ path: String(request.url), authorization: String(request.headers.authorization) });
      response.setHeader("content-type", "application/vnd.amazon.eventstream");
      response.end(frames(converseStream(answer)));
    });
    await new Promise<void>((listening) => bedrock.listen(0, "127.0.0.1", listening));
    Object.assign(env, {
      BEDROCK_MODELS: model,
      DEFAULT_MODEL: model,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: `http://127.0.0.1:${(bedrock.address() as AddressInfo).port}`,
    });
    await secrets.send(new PutSecretValueCommand({ SecretId: env.SECRET_ID, SecretString: "not-set" }));
    try {
      const other = { task: "A task.", model: "bedrock/us.anthropic.claude-opus-5" };
      expect(JSON.stringify((await request("POST", "/runs", other)).body)).toContain("bedrockModels");
      const { status, body } = await request("POST", "/runs", { task: "A task.", reflect: 0 });
      expect({ status, body }).toMatchObject({ status: 202 });
      await call("functions", "plan", { runId: body.id, epoch: 1, last: false });
      expect((await world.registry.run(String(body.id)))?.microUsd).toBeGreaterThan(0);
      expect(asked[0]?.path).toMatch(/^\/model\/us\.anthropic\.claude-sonnet-4-6\/converse/);
      expect(asked[0]?.authorization).toMatch(
        new RegExp(`^AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/\\d{8}/${REGION}/bedrock/aws4_request`),
      );
    } finally {
      for (const name of ["BEDROCK_MODELS", "DEFAULT_MODEL", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"]) delete env[name];
      bedrock.close();
    }
  });

  it("shows callers the runs of others only where an admin said so", async () => {
    const eve = "arn:aws:iam::1:user/eve";
    const made = async () =>
      String((await request("POST", "/runs", { task: "A rehearsal.", model: "rehearsal" })).body.id);
    const seen = async (id: string) => (await request("GET", `/runs/${id}`, undefined, eve)).status;
    expect(await seen(await made())).toBe(404);
    env.SHARED_RUNS = "true";
    const shared = await made();
    expect(await seen(shared)).toBe(200);
    const { body } = await request("GET", "/runs", undefined, eve);
    expect((body.runs as { id: string }[]).map(({ id }) => id)).toEqual([shared]);
    delete env.SHARED_RUNS;
    expect(await seen(shared)).toBe(404);
  });

  it("has room for the largest upload, though what is in it is refused", async () => {
    const content = randomBytes(UPLOAD_BYTES - 1_000);
    const zip = zipSync({ "noise.bin": [content, { level: 0 }] });
    const { body: link } = await request("POST", "/uploads", { bytes: zip.length });
    const headers = link.headers as Record<string, string>;
    expect((await fetch(String(link.url), { method: "PUT", headers, body: zip.slice() })).status).toBe(200);
    logged.length = 0;
    const submission = { task: "A rehearsal.", model: "rehearsal", uploads: { files: link.id } };
    expect(await request("POST", "/runs", submission)).toMatchObject({
      status: 400,
      body: { fields: [{ field: "uploads.files" }] },
    });
    const used = logged.map((line) => /^used (\d+) KiB$/.exec(line)?.[1]).find((found) => found !== undefined);
    expect(Number(used) / 1_024).toBeLessThan(API_MEMORY_MB * 0.75);
  });
});
