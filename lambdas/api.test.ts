/** The API as API Gateway calls it: events in, results out. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunCommands } from "../lib/control/lifecycle/run-commands.ts";
import { projectFile } from "../lib/files/project-files.ts";
import { builtInPacks } from "../lib/files/prompt-folder.ts";
import { type Machine, openMachine } from "../lib/local/machine.ts";
import { rehearsalProfile } from "../lib/model/open-model.ts";
import { createRehearsalModel } from "../lib/model/rehearsal/player.ts";
import { alwaysGreen } from "../test/doubles/machines.ts";
import { type ApiEvent, createApiHandler, ownerOf } from "./api.ts";

const home = mkdtempSync(join(tmpdir(), "l2mac-lambda-"));
const user = "arn:aws:iam::1:user/ada";
const started: string[] = [];
const failures: unknown[] = [];
let machine: Machine;
let handle: ReturnType<typeof createApiHandler>;
let shared: ReturnType<typeof createApiHandler>;
let id: string;

beforeAll(async () => {
  machine = openMachine({
    home,
    evaluator: alwaysGreen,
    model: async () => createRehearsalModel({ rehearsals: projectFile("rehearsals"), now: Date.now }),
  });
  const { world } = machine;
  const packs = await builtInPacks();
  const executions = { start: async (runId: string, epoch: number) => void started.push(`${runId}-${epoch}`) };
  const parts = {
    ...world,
    runs: createRunCommands({ world, executions }),
    models: { choose: async () => ({ profile: rehearsalProfile(), server: {} }), missingKey: async () => undefined },
    packs: async (domain: keyof typeof packs) => packs[domain],
    links: { get: async (key: string) => `https://links.example/${key}` },
    settings: { defaults: {}, install: false, longestWaitSeconds: 5 },
    onFailure: (error: unknown) => void failures.push(error),
  };
  handle = createApiHandler(parts);
  shared = createApiHandler({ ...parts, sharedRuns: true });
  id = JSON.parse((await handle(anEvent("POST", "/runs", { task: "a" }))).body).id;
});
afterAll(() => {
  machine.close();
  rmSync(home, { recursive: true, force: true });
});

function anEvent(httpMethod: string, path: string, body?: unknown, over: Partial<ApiEvent> = {}): ApiEvent {
  return {
    httpMethod,
    path,
    multiValueHeaders: { "Content-Type": ["application/json"] },
    multiValueQueryStringParameters: null,
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: "request-1", stage: "v1", domainName: "api.example", identity: { userArn: user } },
    ...over,
  };
}

const by = (userArn: string): Partial<ApiEvent> => ({
  requestContext: { ...anEvent("GET", "/").requestContext, identity: { userArn } },
});

describe("a submission", () => {
  it("starts the execution of its epoch, and is answered with links below the stage", async () => {
    const result = await handle(anEvent("POST", "/runs", { task: "Write it" }));
    const { id: made, links } = JSON.parse(result.body);
    expect(result).toMatchObject({ statusCode: 202, isBase64Encoded: false });
    expect(result.headers).toMatchObject({ "x-request-id": "request-1", location: links.self });
    expect(links.self).toBe(`https://api.example/v1/runs/${made}`);
    expect(started).toContain(`${made}-1`);
    expect(await machine.registry.run(made)).toMatchObject({ owner: user, epoch: 1 });
  });

  it("that comes again by its key starts the same execution again, in case the first died before", async () => {
    const event = anEvent("POST", "/runs", { task: "Once" });
    event.multiValueHeaders = { ...event.multiValueHeaders, "Idempotency-Key": ["k"] };
    const [one, other] = [await handle(event), await handle(event)].map(({ body }) => JSON.parse(body).id);
    expect(other).toBe(one);
    expect(started.filter((name) => name === `${one}-1`)).toHaveLength(2);
  });

  it("may come in base64", async () => {
    const body = Buffer.from(JSON.stringify({ task: "Größe" })).toString("base64");
    const result = await handle({ ...anEvent("POST", "/runs"), body, isBase64Encoded: true });
    expect((await machine.registry.run(JSON.parse(result.body).id))?.title).toBe("Größe");
  });
});

describe("a caller", () => {
  it("is the IAM user, or the role whatever its session is called", () => {
    expect(ownerOf(user)).toBe(user);
    expect(ownerOf("arn:aws-cn:sts::12:assumed-role/Admin/ada")).toBe("arn:aws-cn:iam::12:role/Admin");
    expect(() => ownerOf(null)).toThrow("IAM");
  });

  it("does not see the runs of others, unless an admin said so", async () => {
    const other = by("arn:aws:iam::1:user/bob");
    expect((await handle(anEvent("GET", `/runs/${id}`))).statusCode).toBe(200);
    expect((await handle(anEvent("GET", `/runs/${id}`, undefined, other))).statusCode).toBe(404);
    expect((await handle(anEvent("POST", `/runs/${id}/cancel`, {}, other))).statusCode).toBe(404);
    expect(JSON.parse((await handle(anEvent("GET", "/runs", undefined, other))).body).runs).toEqual([]);
    const made = JSON.parse((await shared(anEvent("POST", "/runs", { task: "Ours" }))).body).id;
    expect((await shared(anEvent("GET", `/runs/${made}`, undefined, other))).statusCode).toBe(200);
  });
});

describe("a request", () => {
  it("keeps its query, every value of it", async () => {
    const asked = (values: Record<string, string[]>) =>
      handle(anEvent("GET", "/runs", undefined, { multiValueQueryStringParameters: values }));
    expect(JSON.parse((await asked({ limit: ["1"] })).body).runs).toHaveLength(1);
    expect((await asked({ limit: ["1", "2"] })).statusCode).toBe(400);
  });

  it("that is bad is answered with a problem, never with a failure", async () => {
    const result = await handle({ ...anEvent("POST", "/runs"), body: "{" });
    expect(result).toMatchObject({ statusCode: 400, headers: { "content-type": "application/problem+json" } });
    expect(JSON.parse(result.body)).toMatchObject({ requestId: "request-1" });
    expect((await handle(anEvent("GET", "/nothing"))).statusCode).toBe(404);
    expect(failures).toEqual([]);
  });

  it("cannot ask for uploads where there are none", async () => {
    expect((await handle(anEvent("POST", "/uploads", { bytes: 1 }))).statusCode).toBe(404);
  });
});

describe("what is asked for", () => {
  it("goes in base64 where it is no text, and by a link where it is large", async () => {
    const files = [
      { path: "small.bin", content: "\u0000" },
      { path: "large.txt", content: "x".repeat(2_000_000) },
    ];
    const made = JSON.parse((await handle(anEvent("POST", "/runs", { task: "a", files }))).body).id;
    const file = (path: string) =>
      handle(anEvent("GET", `/runs/${made}/file`, undefined, { multiValueQueryStringParameters: { path: [path] } }));
    expect(await file("small.bin")).toMatchObject({ statusCode: 200, isBase64Encoded: true, body: "AA==" });
    const large = await file("large.txt");
    expect(large).toMatchObject({ statusCode: 303, body: "" });
    expect(large.headers.location).toContain(`https://links.example/runs/${made}/blobs/`);
  });

  it("a resume starts the next epoch, and a cancel of what waits ends it at once", async () => {
    const waiting = JSON.parse((await handle(anEvent("POST", "/runs", { task: "b" }))).body).id;
    await machine.compute(waiting, AbortSignal.abort());
    expect(await machine.registry.run(waiting)).toMatchObject({ status: "waiting" });
    expect((await handle(anEvent("POST", `/runs/${waiting}/resume`, {}))).statusCode).toBe(202);
    const run = await machine.registry.run(waiting);
    expect(started.at(-1)).toBe(`${waiting}-${run?.epoch}`);
    await machine.compute(waiting, AbortSignal.abort());
    const cancelled = await handle(anEvent("POST", `/runs/${waiting}/cancel`, {}));
    expect(JSON.parse(cancelled.body).status).toBe("cancelled");
  });
});
