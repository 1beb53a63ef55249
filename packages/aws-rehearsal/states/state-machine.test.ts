/** The real definition, with scripted functions. */
import { readFileSync } from "node:fs";
import { DescribeExecutionCommand, StartExecutionCommand } from "@aws-sdk/client-sfn";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../lib/core/text/json.ts";
import { createVirtualClock } from "../../../test/virtual-clock.ts";
import { definitionOf } from "../cloudformation/definition.ts";
import { aDeployment, aFunction, anIam, arnOfFunction } from "../cloudformation/small-deployment.ts";
import { createDisturbances } from "../disturbances.ts";
import type { Ask, Functions } from "../parts.ts";
import { ServiceError } from "../service-error.ts";
import { createStateMachine } from "./state-machine.ts";
import { createStatesService } from "./states-service.ts";
import type { TaskCall, TaskTrouble } from "./task-calls.ts";

const DEFINITION = readFileSync(new URL("../../../statemachine/control-unit.asl.json", import.meta.url), "utf8");
const ARN = "arn:aws:states:us-east-1:123456789012:stateMachine:it";
const NAMES = ["Plan", "Execute", "Deliver", "RecordFailure"];

type Answer = Json | Error | { functionError: string } | Promise<never>;
type Answers = Partial<Record<string, Answer[]>>;

function aMachine(answers: Answers, { loopLimit = 1_000, denies = (_: Ask) => false as boolean } = {}) {
  const called: string[] = [];
  const payloads: Json[] = [];
  const functions: Functions = {
    async invoke({ functionArn, payload }) {
      const name = functionArn.split(":").at(-1) ?? "";
      const list = { Plan: [{ next: "execute" }], Deliver: [{}], RecordFailure: [{}], ...answers }[name] ?? [];
      const answer = list[Math.min(called.filter((each) => each === name).length, list.length - 1)] ?? null;
      called.push(name);
      payloads.push(JSON.parse(payload));
      if (answer instanceof Promise) return answer;
      if (answer instanceof Error) throw answer;
      const said = { requestId: "r", millis: 1 };
      if (typeof answer === "object" && answer && "functionError" in answer)
        return { ...said, payload: String(answer.functionError), functionError: "Unhandled" };
      return { ...said, payload: JSON.stringify(answer) };
    },
    stop: async () => {},
  };
  const substitutions = Object.fromEntries(NAMES.map((name) => [`${name}Function`, arnOfFunction(name)]));
  const properties = {
    DefinitionString: DEFINITION,
    DefinitionSubstitutions: { ...substitutions, StateMachineArn: ARN, Partition: "aws", LoopLimit: String(loopLimit) },
    RoleArn: "arn:aws:iam::123456789012:role/MachineRole",
    LoggingConfiguration: { Level: "ALL" },
    TracingConfiguration: { Enabled: true },
  };
  const resource = { logicalId: "Machine", type: "AWS::StepFunctions::StateMachine", ref: ARN, arn: ARN, properties };
  const deployed = aDeployment([resource, ...NAMES.map((name) => aFunction(name, "/nowhere"))]);
  const iam = anIam(denies);
  const definition = definitionOf(resource);
  const clock = createVirtualClock();
  const disturbed = createDisturbances<TaskCall, TaskTrouble>();
  const machine = createStateMachine({
    ...{ deployed, resource, definition, iam, functions, clock, disturbed },
    random: () => 0,
  });
  const start = (name = "r-1", input: unknown = { runId: "r", epoch: 1 }) =>
    machine.start({ name, input: JSON.stringify(input) });
  return { machine, start, called, payloads, iam, disturbed, deployed, resource };
}

const EXECUTE = { next: "execute" };
const NEVER = new Promise<never>(() => {});
const failing = (errorType: string, errorMessage = "so it is"): Answer => ({
  functionError: JSON.stringify({ errorType, errorMessage, trace: [] }),
});

describe("the template's state machine", () => {
  it("finishes an execution by the definition that it began with, and begins the next by that of an update", async () => {
    const { machine, start, called, deployed, resource } = aMachine({ Execute: [{ next: "deliver" }] });
    start("r-1");
    const definition = JSON.stringify({
      QueryLanguage: "JSONata",
      StartAt: "Rest",
      States: { Rest: { Type: "Succeed" } },
    });
    machine.update({ deployed, resource, definition });
    start("r-2");
    await machine.settled();
    expect(machine.executions().map(({ name, status }) => [name, status])).toEqual([
      ["r-1", "SUCCEEDED"],
      ["r-2", "SUCCEEDED"],
    ]);
    expect(called).toEqual(["Plan", "Execute", "Deliver"]);
  });

  it("calls its functions as its own role, and comes to rest", async () => {
    const { machine, start, called, iam } = aMachine({ Execute: [EXECUTE, { next: "deliver" }] });
    const { executionArn } = start();
    expect(machine.find(executionArn)).toMatchObject({ status: "RUNNING" });
    await machine.settled("r-1");
    expect(called).toEqual(["Plan", "Execute", "Execute", "Deliver"]);
    expect(machine.find(executionArn)).toMatchObject({ status: "SUCCEEDED", output: {} });
    expect(iam.assumed[0]).toEqual({
      roleArn: "arn:aws:iam::123456789012:role/MachineRole",
      service: "states.amazonaws.com",
    });
    const asked = iam.asked.filter(({ action }) => action === "lambda:InvokeFunction");
    expect(asked.map(({ resource }) => resource)).toEqual(called.map(arnOfFunction));
    expect(machine.counts()).toMatchObject({ executions: 1, transitions: 9 });
    expect(machine.counts().events).toBeGreaterThan(9);
    expect(machine.counts().largestState).toBeLessThanOrEqual(1_024);
  });

  it("goes on in executions of its own, named by run and epoch, when it has gone round often enough", async () => {
    const { machine, start, payloads, iam } = aMachine(
      { Execute: [...Array(5).fill(EXECUTE), { next: "deliver" }] },
      { loopLimit: 2 },
    );
    start();
    await machine.settled("r-1");
    expect(machine.executions().map(({ name, status, input }) => ({ name, status, input }))).toEqual(
      [1, 2, 3].map((epoch) => ({
        name: `r-${epoch}`,
        status: "SUCCEEDED",
        input: JSON.stringify({ runId: "r", epoch }),
      })),
    );
    const lasts = (payloads as { last?: boolean; epoch: number }[]).filter(({ last }) => last);
    expect(lasts.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 3]);
    expect(iam.asked.filter(({ action }) => action === "states:StartExecution")).toMatchObject([
      { resource: ARN, principal: "MachineRole" },
      { resource: ARN },
    ]);
  });

  it("asks again where a state is to time out early, and leaves to itself what it had asked", async () => {
    const { machine, start, called, disturbed } = aMachine({ Execute: [NEVER, { next: "deliver" }] });
    const meets = ({ functionArn }: TaskCall) => functionArn === arnOfFunction("Execute");
    disturbed.plan({ meets, trouble: { timesOut: Promise.resolve() } });
    start();
    await machine.settled();
    expect(called).toEqual(["Plan", "Execute", "Execute", "Deliver"]);
  });

  it("goes no further once it is stopped by hand, and the others go on", async () => {
    const { machine, start, called } = aMachine({ Execute: [{ next: "deliver" }] });
    const { executionArn } = start();
    start("r-2", { runId: "r", epoch: 2 });
    await machine.abort("r-1");
    expect(machine.find(executionArn)).toMatchObject({ status: "ABORTED" });
    await machine.settled();
    expect(called).toEqual(["Plan", "Execute", "Deliver"]);
  });

  it("is at rest where the next epoch was started already and is over", async () => {
    const { machine, start } = aMachine({ Plan: [{ next: "stop" }, EXECUTE], Execute: [EXECUTE] }, { loopLimit: 1 });
    start("r-2", { runId: "r", epoch: 2 });
    await machine.settled();
    start();
    await machine.settled();
    expect(machine.executions().map(({ name, status }) => `${name} ${status}`)).toEqual([
      "r-2 SUCCEEDED",
      "r-1 SUCCEEDED",
    ]);
  });

  it("knows a function's error by the name that its code gave it", async () => {
    const { machine, start, called, payloads } = aMachine({ Execute: [failing("L2mac.UserError", "no such key")] });
    start();
    await machine.settled();
    expect(called).toEqual(["Plan", "Execute", "RecordFailure"]);
    expect(payloads.at(-1)).toMatchObject({ error: "L2mac.UserError", cause: expect.stringContaining("no such key") });
    expect(machine.executions()[0]).toMatchObject({ status: "FAILED", error: "L2mac.UserError" });
  });

  it("sits out throttles of Lambda, by their name", async () => {
    const throttled = new ServiceError("TooManyRequestsException", 429, "Rate Exceeded.");
    const { machine, start, called } = aMachine({ Execute: [...Array(9).fill(throttled), { next: "deliver" }] });
    start();
    await machine.settled();
    expect(called.filter((name) => name === "Execute")).toHaveLength(10);
    expect(machine.executions()[0]?.status).toBe("SUCCEEDED");
  });

  it("fails as on AWS where its role may not call a function", async () => {
    const { machine, start, called, payloads, iam } = aMachine(
      {},
      { denies: ({ resource }) => resource === arnOfFunction("Execute") },
    );
    start();
    await machine.settled();
    expect(called).toEqual(["Plan", "RecordFailure"]);
    expect(payloads.at(-1)).toMatchObject({
      error: "Lambda.AWSLambdaException",
      cause: expect.stringContaining("is not authorized to perform: lambda:InvokeFunction"),
    });
    expect(iam.ledger.denials).toHaveLength(4);
  });

  it("fails where its role may not start the next execution", async () => {
    const { machine, start, payloads } = aMachine(
      { Execute: [EXECUTE] },
      { loopLimit: 1, denies: ({ action }) => action === "states:StartExecution" },
    );
    start();
    await machine.settled();
    expect(payloads.at(-1)).toMatchObject({ error: "StepFunctions.AWSStepFunctionsException" });
  });

  it("is not even created where its role may not set up its log", () => {
    const denies = ({ action }: Ask) => action === "logs:CreateLogDelivery";
    expect(() => aMachine({}, { denies })).toThrow(/not authorized to access the Log Destination/);
  });

  it("may carry no more than a kilobyte: what is larger stops the rehearsal, by its name", async () => {
    const { machine, start } = aMachine({ Plan: [{ next: "stop" }] });
    start("long", { runId: "r".repeat(600), epoch: 1 });
    await expect(machine.settled()).rejects.toThrow(/^Init of long holds \d{4} bytes/);
  });

  it("does not take a fault of the rehearsal for one of what is rehearsed", async () => {
    const { machine, start } = aMachine({ Execute: [new TypeError("oh"), { next: "deliver" }] });
    start();
    await expect(machine.settled()).rejects.toThrow(/^The rehearsal is broken: TypeError: oh/);
  });

  it("ends what is under way when it is stopped", async () => {
    const { machine, start } = aMachine({ Execute: [{ next: "wait", waitSeconds: 60 }] }, { loopLimit: 1e9 });
    start();
    await machine.stop();
    expect(machine.executions()[0]?.status).toBe("ABORTED");
  });
});

/** The very client with which the functions ask, its requests answered without a wire. */
async function send(machine: Parameters<typeof createStatesService>[0], command: { input: unknown }, name: string) {
  const service = createStatesService(machine);
  const headers = { "x-amz-target": `AWSStepFunctions.${name}` };
  const body = Buffer.from(JSON.stringify(command.input));
  const answer = await service({ method: "POST", target: "/", headers, body }, anIam().user("ada", []));
  return { status: answer.status, json: JSON.parse(answer.body.toString()) };
}

describe("Step Functions on the wire", () => {
  const begun = (machine: Parameters<typeof send>[0], input: Partial<StartExecutionCommand["input"]> = {}) =>
    send(
      machine,
      new StartExecutionCommand({ stateMachineArn: ARN, name: "r-1", input: "{}", ...input }),
      "StartExecution",
    );

  it("starts an execution once while it is open, and never again afterwards", async () => {
    const { machine } = aMachine({ Plan: [{ next: "stop" }] });
    const input = '{"runId":"r","epoch":1}';
    const first = await begun(machine, { input });
    expect(first).toMatchObject({
      status: 200,
      json: { executionArn: `${ARN.replace("stateMachine", "execution")}:r-1` },
    });
    expect(await begun(machine, { input })).toEqual(first);
    const exists = { status: 400, json: { __type: "ExecutionAlreadyExists" } };
    expect(await begun(machine, { input: '{"runId":"r","epoch":2}' })).toMatchObject(exists);
    await machine.settled();
    expect(await begun(machine, { input })).toMatchObject(exists);
  });

  it("says how an execution is, and that one is not there", async () => {
    const { machine, start } = aMachine({ Plan: [failing("L2mac.UserError")] });
    const { executionArn } = start();
    const ask = (arn: string) =>
      send(machine, new DescribeExecutionCommand({ executionArn: arn }), "DescribeExecution");
    expect((await ask(executionArn)).json).toMatchObject({ status: "RUNNING", name: "r-1" });
    await machine.settled();
    expect((await ask(executionArn)).json).toMatchObject({
      status: "FAILED",
      error: "L2mac.UserError",
      stopDate: expect.any(Number),
    });
    expect(await ask(`${executionArn}0`)).toMatchObject({ status: 400, json: { __type: "ExecutionDoesNotExist" } });
  });

  it.each([
    ["StateMachineDoesNotExist", { stateMachineArn: `${ARN}-other` }],
    ["InvalidName", { name: "no/slash" }],
    ["InvalidName", { name: "n".repeat(81) }],
    ["InvalidExecutionInput", { input: "no JSON" }],
  ])("refuses as %s what is wrong", async (__type, input) => {
    expect(await begun(aMachine({}).machine, input)).toMatchObject({ status: 400, json: { __type } });
  });
});
