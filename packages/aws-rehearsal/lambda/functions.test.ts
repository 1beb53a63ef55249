import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../lib/host/system-clock.ts";
import {
  aDeployment,
  aFolder,
  aFunction,
  anIam,
  arnOfFunction,
  removeFolders,
} from "../cloudformation/small-deployment.ts";
import { createDisturbances } from "../disturbances.ts";
import type { Invocation } from "../parts.ts";
import { ServiceError } from "../service-error.ts";
import {
  createFunctions,
  type FunctionCall,
  type FunctionsParts,
  type InvocationTrouble,
  type RunningFunctions,
} from "./functions.ts";
import { openRuntimeApi } from "./runtime-api.ts";

afterAll(removeFolders);

const left: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const leave of left.splice(0)) await leave();
});

const HANG = { timeout: 200_000 };

interface FunctionsUnderTest {
  functions: RunningFunctions;
  iam: ReturnType<typeof anIam>;
  ask(payload: unknown, more?: Partial<Invocation>): Promise<{ answer: unknown; functionError: string | undefined }>;
}

function start(
  handler: string,
  properties: Record<string, unknown> = {},
  parts: Partial<FunctionsParts> = {},
  files: Record<string, string> = {},
): FunctionsUnderTest {
  const folder = aFolder({ "entry.mjs": handler, ...files });
  const deployed = aDeployment([aFunction("It", folder, properties)]);
  const iam = (parts.iam ?? anIam()) as ReturnType<typeof anIam>;
  const functions = createFunctions({ deployed, aws: { endpoint: "http://127.0.0.1:1" }, ...parts, iam });
  left.push(functions.stop);
  const ask = async (payload: unknown, more: Partial<Invocation> = {}) => {
    const asked = { functionArn: arnOfFunction("It"), payload: JSON.stringify(payload), ...more };
    const { payload: said, functionError } = await functions.invoke(asked);
    return { answer: JSON.parse(said), functionError };
  };
  return { functions, iam, ask };
}

describe("a function's process", () => {
  it("answers what its handler answers, and stays warm", async () => {
    const { ask, functions } = start(
      "let n = 0; export const handler = async ({ x }) => ({ x, n: ++n, pid: process.pid });",
    );
    const one = await ask({ x: "長" });
    const two = await ask({ x: 2 });
    expect(one).toMatchObject({ answer: { x: "長", n: 1 }, functionError: undefined });
    expect(two.answer).toMatchObject({ x: 2, n: 2, pid: (one.answer as { pid: number }).pid });
    const { It: used } = functions.usage();
    expect(used).toMatchObject({ invocations: 2, errors: 0, coldStarts: 1 });
    expect(used?.billedMillis).toBeGreaterThanOrEqual(Math.ceil(used?.initMillis ?? Number.POSITIVE_INFINITY));
    expect(used?.gbSeconds).toBeCloseTo(((used?.billedMillis ?? 0) / 1_000) * 0.25, 9);
  });

  it("ends when its parent is gone", async () => {
    const api = await openRuntimeApi();
    const { codeFolder } = aFunction(
      "It",
      aFolder({ "entry.mjs": "export const handler = () => new Promise(() => setInterval(() => {}, 1e6));" }),
    );
    const env = { AWS_LAMBDA_RUNTIME_API: api.address, _HANDLER: "entry.handler", LAMBDA_TASK_ROOT: codeFolder ?? "" };
    const child = spawn(process.execPath, [fileURLToPath(new URL("bootstrap.mjs", import.meta.url))], {
      env,
      stdio: "ignore",
    });
    const exited = once(child, "exit");
    await api.ready;
    void api.invoke({ requestId: "r", functionArn: "arn:it", payload: "{}", deadline: Date.now(), traceId: "" });
    await api.close();
    expect(await exited).toEqual([1, null]);
  });

  it("has a second one beside it while the first is busy", async () => {
    const { ask, functions } = start(
      "export const handler = async ({ ms }) => { await new Promise((done) => setTimeout(done, ms)); return process.pid; };",
    );
    const [one, two] = await Promise.all([ask({ ms: 300 }), ask({ ms: 300 })]);
    expect(one.answer).not.toBe(two.answer);
    expect([one.answer, two.answer]).toContain((await ask({ ms: 0 })).answer);
    expect(functions.usage().It?.coldStarts).toBe(2);
  });

  it("starts again when all processes are cold", async () => {
    const { ask, functions } = start("export const handler = () => process.pid;");
    const { answer: before } = await ask({});
    await functions.cool();
    expect((await ask({})).answer).not.toBe(before);
    expect(functions.usage().It).toMatchObject({ invocations: 2, coldStarts: 2 });
  });

  it("answers null where its handler answers nothing", async () => {
    expect(await start("export const handler = () => {};").ask({})).toEqual({ answer: null, functionError: undefined });
  });

  it("tells a thrown error by its name, and goes on", async () => {
    const { ask } = start(`export const handler = async ({ fail }) => {
      if (fail) throw Object.assign(new Error("so it is"), { name: "L2mac.UserError" });
      return process.pid; };`);
    const before = await ask({});
    expect(await ask({ fail: true })).toMatchObject({
      answer: { errorType: "L2mac.UserError", errorMessage: "so it is", trace: expect.any(Array) },
      functionError: "Unhandled",
    });
    expect(await ask({})).toEqual(before);
  });

  it("is killed at the end of its time, with all that it has started, and the next call has a new one", async () => {
    const mark = join(aFolder({}), "hangs");
    // Its time is over as soon as it hangs, and not before.
    const clock = {
      ...systemClock,
      sleep: (_: number, signal?: AbortSignal) =>
        vi.waitUntil(() => signal?.aborted || existsSync(mark), HANG).then(() => {}),
    };
    const { ask } = start(
      `import { spawn } from "node:child_process";
       import { writeFileSync } from "node:fs";
       export const handler = ({ hang }) => hang ? new Promise((done) => { spawn("sleep", ["600"], { stdio: "inherit" }).once("spawn", () => writeFileSync(hang, "")); setTimeout(done, 600_000); }) : process.pid;`,
      { Timeout: 1 },
      { clock },
    );
    const { answer: before } = await ask({});
    expect(await ask({ hang: mark })).toEqual({
      answer: {
        errorType: "Sandbox.Timedout",
        errorMessage: expect.stringMatching(/^RequestId: [0-9a-f-]{36} Error: Task timed out after 1\.00 seconds$/),
      },
      functionError: "Unhandled",
    });
    expect(() => process.kill(Number(before), 0)).toThrow("ESRCH");
    rmSync(mark);
    expect(await ask({})).toEqual({ answer: expect.any(Number), functionError: undefined });
    // What it had started holds its output: while that lives, this does not come to its end.
  });

  it("can be killed during an invocation, and only that invocation fails", async () => {
    const { ask, functions } = start(
      "export const handler = ({ hang }) => hang ? new Promise(() => setInterval(() => {}, 1e6)) : process.pid;",
    );
    const { answer: idle } = await ask({});
    expect(functions.atWork(/It/)).toEqual([]);
    const hanging = ask({ hang: true });
    await expect.poll(() => functions.atWork(/It/).map(({ pid }) => pid)).toEqual([idle]);
    expect(functions.atWork(/Other/)).toEqual([]);
    await Promise.all(functions.atWork(/It/).map((process) => process.stop()));
    expect(await hanging).toMatchObject({ answer: { errorType: "Runtime.ExitError" }, functionError: "Unhandled" });
    expect((await ask({})).answer).not.toBe(idle);
  });

  it("keeps time by the clock that it is given", async () => {
    const hasty = { ...systemClock, sleep: async (ms: number) => systemClock.sleep(ms / 1_000) };
    const { ask } = start(
      "export const handler = () => new Promise(() => setInterval(() => {}, 1e6));",
      { Timeout: 900 },
      { clock: hasty },
    );
    expect((await ask({})).answer).toMatchObject({ errorMessage: expect.stringContaining("after 900.00 seconds") });
  });

  it.each([
    ["process.exit(3)", "exit status 3"],
    ["process.kill(process.pid, 'SIGKILL')", "signal: killed"],
  ])("says that it ended by %s", async (code, how) => {
    const { ask } = start(
      `export const handler = async ({ die }) => { if (die) { ${code}; await new Promise(() => {}); } return 1; };`,
    );
    expect(await ask({ die: true })).toMatchObject({
      answer: { errorType: "Runtime.ExitError", errorMessage: expect.stringContaining(how) },
      functionError: "Unhandled",
    });
    expect((await ask({})).answer).toBe(1);
  });

  it.each([
    ["throws at its start", "throw new TypeError('too early');", "TypeError", "too early"],
    [
      "has no such export",
      "export const other = 1;",
      "Runtime.HandlerNotFound",
      "entry.handler is undefined or not exported",
    ],
    ["is no JavaScript", "export const handler = (;", "Runtime.UserCodeSyntaxError", "Unexpected token"],
    [
      "asks for a package that was not bundled",
      "import { z } from 'zod'; export const handler = () => z;",
      "Runtime.ImportModuleError",
      "zod",
    ],
  ])("answers the error of code that %s", async (_, code, errorType, said) => {
    const answer = await start(code).ask({});
    expect(answer).toMatchObject({
      answer: { errorType, errorMessage: expect.stringContaining(said) },
      functionError: "Unhandled",
    });
  });

  it("fails for an unhandled rejection", async () => {
    const { ask } = start(
      "export const handler = () => { Promise.reject(new Error('forgotten')); return new Promise(() => setInterval(() => {}, 1e6)); };",
    );
    expect((await ask({})).answer).toMatchObject({
      errorType: "Runtime.UnhandledPromiseRejection",
      errorMessage: "forgotten",
    });
  });

  it("may not answer more than 6 MB, and may not be asked more", async () => {
    const { ask } = start("export const handler = ({ size }) => 'x'.repeat(size);");
    expect((await ask({ size: 6_291_454 })).functionError).toBeUndefined();
    expect(await ask({ size: 6_291_556 })).toMatchObject({
      answer: { errorType: "Function.ResponseSizeTooLarge" },
      functionError: "Unhandled",
    });
    await expect(ask("x".repeat(6_291_455))).rejects.toMatchObject({ code: "RequestTooLargeException", status: 413 });
  });

  it("cannot keep more in memory than the function has", async () => {
    const { ask } = start(
      "export const handler = () => { const all = []; for (;;) all.push(Array(1e6).fill('x' + all.length)); };",
      {
        MemorySize: 128,
      },
    );
    expect((await ask({})).answer).toMatchObject({ errorType: "Runtime.ExitError" });
  });
});

describe("what a function finds", () => {
  it("is the template's environment and Lambda's, a session of its role, and nothing of this computer but its PATH", async () => {
    const { ask, iam } = start(
      "export const handler = (_, context) => ({ env: process.env, context, left: context.getRemainingTimeInMillis(), cwd: process.cwd() });",
      {
        Environment: { Variables: { TABLE_NAME: "Table" } },
        LoggingConfig: { LogFormat: "JSON", LogGroup: "Group" },
        Timeout: 30,
      },
    );
    const { env, context, left, cwd } = (await ask({})).answer as Record<string, never> & {
      env: Record<string, string>;
    };
    expect(Object.keys(env).toSorted()).toEqual(
      [
        ...["AWS_ACCESS_KEY_ID", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_EXECUTION_ENV"],
        ...["AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "AWS_LAMBDA_FUNCTION_NAME", "AWS_LAMBDA_FUNCTION_VERSION"],
        ...["AWS_LAMBDA_INITIALIZATION_TYPE", "AWS_LAMBDA_LOG_FORMAT", "AWS_LAMBDA_LOG_GROUP_NAME"],
        ...["AWS_LAMBDA_LOG_LEVEL", "AWS_LAMBDA_LOG_STREAM_NAME", "AWS_LAMBDA_RUNTIME_API", "AWS_REGION"],
        ...["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "LAMBDA_RUNTIME_DIR", "LAMBDA_TASK_ROOT", "LANG", "PATH"],
        ...["TABLE_NAME", "TZ", "_HANDLER", "_X_AMZN_TRACE_ID"],
      ].toSorted(),
    );
    expect(env).toMatchObject({
      AWS_SESSION_TOKEN: "session of ItRole",
      AWS_LAMBDA_LOG_GROUP_NAME: "Group",
      LAMBDA_TASK_ROOT: cwd,
      TABLE_NAME: "Table",
      _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};/),
    });
    expect(context).toMatchObject({
      functionName: "It",
      invokedFunctionArn: arnOfFunction("It"),
      memoryLimitInMB: "256",
    });
    expect(context).not.toHaveProperty("tenantId");
    expect(left).toBeGreaterThan(20_000);
    expect(left).toBeLessThanOrEqual(30_000);
    expect(iam.assumed[0]).toEqual({
      roleArn: "arn:aws:iam::123456789012:role/ItRole",
      service: "lambda.amazonaws.com",
    });
  });
});

describe("tenants", () => {
  const PER_TENANT = { TenancyConfig: { TenantIsolationMode: "PER_TENANT" } };
  const WHO = "export const handler = (_, { tenantId }) => ({ tenantId, pid: process.pid });";

  it("have processes of their own", async () => {
    const { ask } = start(WHO, PER_TENANT);
    const [ada, eve] = [await ask({}, { tenantId: "ada" }), await ask({}, { tenantId: "eve" })];
    expect(await ask({}, { tenantId: "ada" })).toEqual(ada);
    expect([ada.answer, eve.answer]).toMatchObject([{ tenantId: "ada" }, { tenantId: "eve" }]);
    expect((ada.answer as { pid: number }).pid).not.toBe((eve.answer as { pid: number }).pid);
  });

  it("must be named where they are kept apart, and may not be where they are not", async () => {
    const refused = { code: "InvalidParameterValueException", status: 400 };
    await expect(start(WHO, PER_TENANT).ask({})).rejects.toMatchObject(refused);
    await expect(start(WHO).ask({}, { tenantId: "ada" })).rejects.toMatchObject(refused);
  });
});

describe("permissions that a function's role needs before its code asks for anything", () => {
  const SAYS = "export const handler = () => { console.log('said'); process.stderr.write('and said'); return 1; };";
  const STREAM =
    /^arn:aws:logs:us-east-1:123456789012:log-group:Group:log-stream:\d{4}\/\d\d\/\d\d\/\[\$LATEST\][0-9a-f]{32}$/;
  const LOGGED = { LoggingConfig: { LogGroup: "Group" } };

  it("are those to write its log, which Lambda writes as that role", async () => {
    const { ask, functions, iam } = start(SAYS, LOGGED);
    await ask({});
    await functions.stop();
    expect(
      functions
        .logs()
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(["and said", "said"]);
    // Its own two lines, and what Lambda writes before and after.
    expect(iam.asked.map(({ action }) => action)).toEqual([
      "logs:CreateLogStream",
      ...Array(4).fill("logs:PutLogEvents"),
    ]);
    for (const { principal, resource, context } of iam.asked) {
      expect(principal).toBe("ItRole");
      expect(resource).toMatch(STREAM);
      expect(context).toEqual({ "lambda:sourcefunctionarn": arnOfFunction("It") });
    }
  });

  it.each(["logs:CreateLogStream", "logs:PutLogEvents"])("lose what it says where it may not %s", async (action) => {
    const { ask, functions, iam } = start(SAYS, LOGGED, { iam: anIam((asked) => asked.action === action) });
    expect((await ask({})).answer).toBe(1);
    await functions.stop();
    expect(functions.logs()).toEqual([]);
    expect(iam.ledger.denials[0]).toMatchObject({ action, principal: "ItRole" });
  });

  it("are those to send traces where it is traced", async () => {
    const { ask, iam } = start("export const handler = () => 1;", { TracingConfig: { Mode: "Active" } });
    await ask({});
    const traced = iam.asked.filter(({ action }) => action.startsWith("xray:"));
    expect(traced.map(({ action }) => action)).toEqual(["xray:PutTraceSegments", "xray:PutTelemetryRecords"]);
  });

  it("are those to be put into a network; without them it is not even created", () => {
    const iam = anIam(({ action }) => action === "ec2:CreateNetworkInterface");
    const inside = { VpcConfig: { SubnetIds: ["subnet"] } };
    expect(() => start("", inside, { iam })).toThrow(/does not have permissions to call CreateNetworkInterface on EC2/);
  });
});

describe("a function from an image", () => {
  it("is laid out as its Dockerfile says, with a folder for temporary files of its own", async () => {
    const files = {
      Dockerfile: [
        "# Comments go.",
        "FROM public.ecr.aws/lambda/nodejs:24",
        "RUN dnf install -y \\",
        "  something",
        "COPY list.txt /opt/it/renamed.txt",
        `COPY scripts \${LAMBDA_TASK_ROOT}/scripts`,
        `COPY entry.mjs \${LAMBDA_TASK_ROOT}/entry.mjs`,
        "ENV IT_SCRATCH=/tmp",
        'CMD ["entry.handler"]',
      ].join("\n"),
      "list.txt": "listed",
      "scripts/one.sh": "",
      "left-out.txt": "",
    };
    const handler = `import { readdirSync } from "node:fs";
      export const handler = () => ({ task: readdirSync(process.env.LAMBDA_TASK_ROOT), scripts: readdirSync("scripts"),
        listed: readdirSync(process.env.LAMBDA_TASK_ROOT + "/../../opt/it"), tmp: process.env.IT_SCRATCH,
        in: readdirSync(process.env.IT_SCRATCH), execution: process.env.AWS_EXECUTION_ENV });`;
    const uri = "123456789012.dkr.ecr.us-east-1.amazonaws.com/images:tag";
    const folder = aFolder({ ...files, "entry.mjs": handler });
    const image = { PackageType: "Image", Code: { ImageUri: uri }, Runtime: undefined, Handler: undefined };
    const { ask } = start("", image, { imageFolder: (asked) => (asked === uri ? folder : "") });
    const { answer } = await ask({});
    expect(answer).toMatchObject({
      task: ["entry.mjs", "scripts"],
      scripts: ["one.sh"],
      listed: ["renamed.txt"],
      in: [],
    });
    expect((answer as { tmp: string }).tmp).toMatch(/l2mac-functions-.*\/tmp-1$/);
    expect(answer).not.toHaveProperty("execution");
  });
});

describe("an invocation that goes wrong on purpose", () => {
  const COUNTING = "let n = 0; export const handler = async () => [process.pid, ++n];";

  it("is refused, and nothing runs", async () => {
    const disturbed = createDisturbances<FunctionCall, InvocationTrouble>();
    const { ask } = start(COUNTING, {}, { disturbed });
    const refused = new ServiceError("TooManyRequestsException", 429, "Rate Exceeded.");
    disturbed.plan({ meets: ({ logicalId, payload }) => logicalId === "It" && payload === "7", trouble: { refused } });
    await expect(ask(7)).rejects.toBe(refused);
    expect((await ask(7)).answer).toMatchObject({ 1: 1 });
  });

  it.each(["first answer", "last answer"] as const)("is delivered twice at once, and returns the %s", async (twice) => {
    const disturbed = createDisturbances<FunctionCall, InvocationTrouble>();
    const { ask, functions } = start(COUNTING, {}, { disturbed });
    disturbed.plan({ meets: () => true, trouble: { twice } });
    expect((await ask(1)).answer).toMatchObject({ 1: 1 });
    await expect.poll(() => functions.usage().It).toMatchObject({ invocations: 2, coldStarts: 2 });
  });
});
