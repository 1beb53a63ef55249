import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { awsError, type Script, scriptClient } from "../../test/doubles/scripted-client.ts";
import { EVALUATION_MS, EVALUATOR_INVOCATION_MS, LONGEST_EVALUATION_MS } from "../core/limits.ts";
import type { EvaluationRequest, PackPart } from "../core/ports.ts";
import { decodeEvaluation } from "../core/verdict/evaluation-wire.ts";
import { decideGate } from "../core/verdict/gate.ts";
import { notRun, type Verdict } from "../core/verdict/verdict.ts";
import { lambdaClient } from "./clients.ts";
import { createLambdaEvaluator, IMAGE } from "./lambda-evaluator.ts";

const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const answer = (value: unknown, FunctionError?: string) => ({
  $metadata: { requestId: "lambda-1" },
  Payload: bytesOf(value),
  FunctionError,
});

const pack = Uint8Array.from([80, 75, 5, 6]);
const asked: EvaluationRequest = {
  runId: "01RUN",
  base: { key: "packs/1.zip", load: async () => pack },
  changes: [{ path: "a.py", content: bytesOf("print(1)\n") }],
  syntax: {},
  tests: {},
  install: false,
  timeoutMs: EVALUATION_MS,
};
const green: Verdict = {
  ...notRun("not_asked"),
  syntax: { status: "passed", errors: [] },
  tests: { ...notRun("not_asked").tests, status: "passed", passed: 2 },
  requestId: "made up",
};

function rig(script: Script, tenantIsolation = true) {
  const client = lambdaClient({ region: "us-east-1" });
  const sent = scriptClient(client, script);
  return { sent, evaluator: createLambdaEvaluator({ client, functionName: "evaluator", tenantIsolation }) };
}

it("describes the image as its file builds it", () => {
  const file = readFileSync(new URL("../../lambdas/evaluate/Dockerfile", import.meta.url), "utf8");
  expect(rig([]).evaluator.describeEnvironment?.()).toEqual(IMAGE);
  expect(/FROM \S+\/lambda\/nodejs:(\d+)\./.exec(file)?.[1]).toBe(IMAGE.programs.node);
  expect(/ln -sf \/usr\/bin\/python([\d.]+) \S*python3\b/.exec(file)?.[1]).toBe(IMAGE.programs.python3);
  // A program that is installed there belongs into the description.
  expect(/dnf install -y ([^\\]+)/.exec(file)?.[1]?.trim()).toBe("python3.13 python3.13-pip");
});

describe("an evaluation", () => {
  it("goes to the run's own environments with the pack in it, and gives the verdict under Lambda's own id", async () => {
    const { sent, evaluator } = rig([answer(green)]);
    expect(await evaluator.evaluate(asked)).toEqual({
      ...green,
      requestId: "lambda-1",
      evaluator: { requestId: "lambda-1" },
    });
    expect(sent).toMatchObject([{ command: "InvokeCommand", input: { FunctionName: "evaluator", TenantId: "01RUN" } }]);
    const arrived = await decodeEvaluation(JSON.parse(new TextDecoder().decode(sent[0]?.input.Payload as Uint8Array)));
    expect(await arrived.base.load()).toEqual(pack);
    expect(arrived).toMatchObject({ runId: "01RUN", changes: asked.changes, syntax: {}, tests: {} });
    expect(arrived.command).toBeUndefined();
  });

  it("brings links to the packs of a base that does not fit into it, and changes with it as ever", async () => {
    const client = lambdaClient({ region: "us-east-1" });
    const sent = scriptClient(client, [answer(green), answer(green)]);
    const linkBase = async (parts: PackPart[]) => ({
      addresses: ["192.0.2.1"],
      parts: parts.map(({ key }) => ({ key, url: `https://example.org/${key}` })),
    });
    const evaluator = createLambdaEvaluator({ client, functionName: "evaluator", tenantIsolation: true, linkBase });
    const parts = async () => [{ key: "packs/0.zip" }, { key: "packs/1.changes.zip" }];
    const load = () => Promise.reject(new Error("The base was loaded."));
    await evaluator.evaluate({ ...asked, base: { key: "packs/1.zip", load, parts, bytes: 60_000_000 } });
    await evaluator.evaluate({ ...asked, base: { ...asked.base, parts, bytes: 1_000 } });
    const [large, small] = sent.map(({ input }) => JSON.parse(new TextDecoder().decode(input.Payload as Uint8Array)));
    expect(large.base).toEqual(await linkBase(await parts()));
    expect(JSON.stringify(small)).not.toContain("https://");
    const fetched = Uint8Array.from([1, 2]);
    const arrived = await decodeEvaluation(large, async ({ addresses }) => (addresses.length > 0 ? fetched : pack));
    expect(await arrived.base.load()).toBe(fetched);
    expect(arrived).toMatchObject({ changes: asked.changes, base: { key: "packs/1.zip" } });
  });

  it("names no tenant where the function has none, since Lambda refuses that", async () => {
    const { sent, evaluator } = rig([answer(green)], false);
    await evaluator.evaluate(asked);
    expect(Object.keys(sent[0]?.input ?? {})).not.toContain("TenantId");
  });

  it("is waited for longer than the evaluator itself may take, so that the evaluator speaks first", async () => {
    const { sent, evaluator } = rig([answer(green)]);
    await evaluator.evaluate(asked);
    const waited = Number(sent[0]?.options.requestTimeout);
    expect(waited).toBeGreaterThan(asked.timeoutMs + EVALUATOR_INVOCATION_MS - LONGEST_EVALUATION_MS);
    expect(EVALUATOR_INVOCATION_MS).toBeGreaterThan(LONGEST_EVALUATION_MS);
  });

  it("is not begun after the run was stopped, and one that was stopped meanwhile gives no verdict", async () => {
    const { sent, evaluator } = rig([awsError("AbortError")]);
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(evaluator.evaluate(asked, stopped)).rejects.toThrow("stopped");
    expect(sent).toEqual([]);
    const controller = new AbortController();
    const base = {
      key: "k",
      load: async () => {
        queueMicrotask(() => controller.abort(new Error("stopped now")));
        return pack;
      },
    };
    await expect(evaluator.evaluate({ ...asked, base }, controller.signal)).rejects.toThrow("stopped now");
  });

  it("that would not fit into an invocation is not sent, and says what to do", async () => {
    const { sent, evaluator } = rig([answer(green)]);
    const base = { key: "k", load: async () => new Uint8Array(5 * 1024 * 1024) };
    const verdict = await evaluator.evaluate({ ...asked, base });
    expect(sent).toEqual([]);
    expect(verdict.syntax).toMatchObject({ status: "not_run", reason: "too_large" });
    expect(verdict.tests.detail).toMatch(/699\d{4} bytes.*takes 6291456.*delete some/);
    expect(decideGate(verdict, settings).accepted).toBe(false);
  });
});

describe("a verdict names the evaluator's request", () => {
  const traceId = "1-5759e988-bd862e3fe1be46a994272793";

  it("by the id that Lambda gave it, whatever the evaluator says, and the trace that it belongs to", async () => {
    const said = { ...green, evaluator: { requestId: "forged", traceId } };
    const verdict = await rig([answer(said)]).evaluator.evaluate(asked);
    expect(verdict.evaluator).toEqual({ requestId: "lambda-1", traceId });
    expect((await rig([answer(green)]).evaluator.evaluate(asked)).evaluator).toEqual({ requestId: "lambda-1" });
  });

  it("and takes no trace id that is none", async () => {
    const said = { ...green, evaluator: { requestId: "x", traceId: "1-\u001b[31m" } };
    const verdict = await rig([answer(said)]).evaluator.evaluate(asked);
    expect(verdict.tests.status).toBe("crashed");
  });

  it("but not where none was made", async () => {
    const base = { key: "k", load: async () => new Uint8Array(5 * 1024 * 1024) };
    expect(await rig([]).evaluator.evaluate({ ...asked, base })).not.toHaveProperty("evaluator");
  });
});

const settings = { testsSeen: false, syntax: true, tests: true };

describe("an evaluator that is not there yet is a wait, never a verdict", () => {
  it.each([
    ["TooManyRequestsException", 10_000],
    ["ServiceException", 10_000],
    ["ResourceConflictException", 20_000],
    ["ResourceNotReadyException", 20_000],
    ["ENINotReadyException", 20_000],
    ["EC2ThrottledException", 20_000],
    ["CodeArtifactUserPendingException", 20_000],
    ["SubnetIPAddressLimitReachedException", 60_000],
    ["TimeoutError", 10_000],
  ])("%s", async (name, retryAfterMs) => {
    const { sent, evaluator } = rig([awsError(name)]);
    await expect(evaluator.evaluate(asked)).rejects.toMatchObject({
      name: "L2mac.NotReady",
      retryAfterMs,
      message: expect.stringContaining(name),
    });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["a broken connection", awsError("Error", { code: "ECONNRESET" })],
    ["a failure on the other side that has no name", awsError("Unknown", { status: 502 })],
  ])("%s", async (_, refusal) => {
    await expect(rig([refusal]).evaluator.evaluate(asked)).rejects.toMatchObject({ retryAfterMs: 10_000 });
  });

  it("and lasts as long as Lambda asks for", async () => {
    const throttled = Object.assign(awsError("TooManyRequestsException"), { retryAfterSeconds: "45" });
    await expect(rig([throttled]).evaluator.evaluate(asked)).rejects.toMatchObject({ retryAfterMs: 45_000 });
  });

  it.each([
    ["its function is gone", awsError("ResourceNotFoundException", { status: 404 })],
    [
      "its function takes no tenants any more",
      awsError("InvalidParameterValueException", {
        status: 400,
        message: "TenantId is not supported for this function",
      }),
    ],
    [
      "its function wants tenants now",
      awsError("InvalidParameterValueException", { status: 400, message: "Add a valid tenant ID in your request" }),
    ],
  ])("while an update of the stack replaces it: %s", async (_, refusal) => {
    const replaced = rig([refusal]).evaluator.evaluate(asked);
    await expect(replaced).rejects.toMatchObject({
      name: "L2mac.NotReady",
      retryAfterMs: 60_000,
      message: expect.stringMatching(/an update of the stack is replacing it; if none is in progress, deploy again/),
    });
  });

  it("while an update has taken the right to call the old one away, for a quarter of an hour at most", async () => {
    const message = "User: u is not authorized to perform: lambda:InvokeFunction on resource: f";
    const denied = rig([awsError("AccessDeniedException", { status: 403, message })]).evaluator.evaluate(asked);
    await expect(denied).rejects.toMatchObject({
      ...{ name: "L2mac.NotReady", retryAfterMs: 60_000, patienceMs: 900_000 },
      message: expect.stringMatching(/its role lacks lambda:InvokeFunction; deploy again/),
    });
  });

  it("or as long as the function's settings say", async () => {
    const client = lambdaClient({ region: "us-east-1" });
    const message = "User: u is not authorized to perform: lambda:InvokeFunction on resource: f";
    scriptClient(client, [awsError("AccessDeniedException", { status: 403, message })]);
    const parts = { client, functionName: "evaluator", tenantIsolation: true, deniedPatienceMs: 30_000 };
    await expect(createLambdaEvaluator(parts).evaluate(asked)).rejects.toMatchObject({ patienceMs: 30_000 });
  });

  it("but what waiting does not change is an error", async () => {
    const denied = rig([awsError("AccessDeniedException", { status: 403 })]).evaluator;
    await expect(denied.evaluate(asked)).rejects.toMatchObject({ name: "L2mac.Denied", exitCode: 3 });
    const message = "User: u is not authorized to perform: kms:Decrypt on resource: k";
    const key = rig([awsError("AccessDeniedException", { status: 403, message })]).evaluator;
    await expect(key.evaluate(asked)).rejects.toMatchObject({ name: "L2mac.Denied" });
    const wrong = rig([awsError("InvalidParameterValueException", { status: 400 })]).evaluator;
    await expect(wrong.evaluate(asked)).rejects.toThrow("InvalidParameterValueException");
  });
});

describe("an evaluator that has checked nothing is not green", () => {
  it.each([
    [
      "ran out of time",
      answer({ errorType: "Sandbox.Timedout", errorMessage: "Task timed out after 210.00 seconds" }, "Unhandled"),
      /failed: Sandbox.Timedout: Task timed out after 210.00 seconds/,
    ],
    [
      "contains terminal control characters",
      answer({ errorType: "Error", errorMessage: "\u001b[31mred\u001b[0m\n\u0000two" }, "Unhandled"),
      /failed: Error: red two$/,
    ],
    ["gives no reason", answer("{}", "Unhandled"), /gave no reason/],
    ["gives a reason that is none", answer('["a"', "Unhandled"), /gave no reason/],
    ["answers nothing", { $metadata: { requestId: "lambda-1" } }, /no verdict/],
    ["answers what is not JSON", answer("verdict: passed"), /no verdict/],
    ["answers what is not text", { $metadata: { requestId: "lambda-1" }, Payload: Uint8Array.of(255) }, /no verdict/],
    ["leaves something out", answer({ ...green, tests: undefined }), /no verdict/],
    ["makes up a status", answer({ ...green, syntax: { status: "fine", errors: [] } }), /no verdict/],
    [
      "answers without end",
      answer({ ...green, tests: { ...green.tests, output: "x".repeat(3_000_000) } }),
      /answered 3\d{6} bytes/,
    ],
  ])("when it %s", async (_, said, detail) => {
    const verdict = await rig([said]).evaluator.evaluate({ ...asked, command: { argv: ["true"] } });
    for (const part of [verdict.syntax, verdict.tests, verdict.command]) {
      expect(part).toMatchObject({ status: "crashed", detail: expect.stringMatching(detail) });
    }
    expect(verdict.requestId).toBe("lambda-1");
    expect(decideGate(verdict, settings)).toEqual({ accepted: false, blocking: ["syntax", "tests", "command"] });
  });

  it("its last words are cut short", async () => {
    const verbose = answer({ errorType: "Error", errorMessage: "x".repeat(100_000) }, "Unhandled");
    const verdict = await rig([verbose]).evaluator.evaluate(asked);
    expect(verdict.tests.detail?.length).toBeLessThan(400);
  });

  it("and checks that were not requested stay so", async () => {
    const { syntax: _, ...testsOnly } = asked;
    const verdict = await rig([answer("", "Unhandled")]).evaluator.evaluate(testsOnly);
    expect(verdict.syntax).toEqual({ status: "not_run", reason: "not_asked", errors: [] });
    expect(verdict.tests.status).toBe("crashed");
    expect(verdict.command).toBeUndefined();
  });

  it("the request that failed is named, so that its log can be found", async () => {
    const { evaluator } = rig([answer("", "Unhandled")]);
    expect((await evaluator.evaluate(asked)).evaluator).toEqual({ requestId: "lambda-1" });
  });

  it("keys that a verdict does not have do not travel on", async () => {
    const { evaluator } = rig([answer({ ...green, extra: { deep: true } })]);
    expect(Object.keys(await evaluator.evaluate(asked))).not.toContain("extra");
  });
});
