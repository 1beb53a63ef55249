/** What each role may do, to the letter: a permission that is added or lost shows here. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { DETAIL_TYPES } from "../../lib/core/notification/run-event.ts";
import { type SynthesisedStack, synthesise } from "./synthesised.ts";

interface Statement {
  Effect: string;
  Action?: string | string[];
  NotAction?: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

let stack: SynthesisedStack;
beforeAll(() => {
  stack = synthesise();
});

/** The statements of a role, inline or attached, in a form that people can read. */
function statementsOf(role: string, of = stack): string[] {
  const found = of.ofType("AWS::IAM::Role").find(([id]) => new RegExp(`^${role}[0-9A-F]{8}$`).test(id));
  if (!found) throw new Error(`there is no role ${role}`);
  const [id, { Properties }] = found;
  const inline = (Properties.Policies ?? []) as { PolicyDocument: { Statement: Statement[] } }[];
  const attached = of
    .ofType("AWS::IAM::Policy")
    .filter(([, policy]) => JSON.stringify(policy.Properties.Roles) === JSON.stringify([{ Ref: id }]))
    .map(([, policy]) => policy.Properties as unknown as { PolicyDocument: { Statement: Statement[] } });
  expect(Properties).not.toHaveProperty("ManagedPolicyArns");
  return [...inline, ...attached].flatMap(({ PolicyDocument }) => PolicyDocument.Statement.map(statementText));
}

const list = (value: string | string[] | undefined): string => [value ?? []].flat().toSorted().join(" ");

const statementText = ({ Effect, Action, NotAction, Resource, Condition }: Statement): string =>
  [
    Effect === "Allow" ? "" : `${Effect} `,
    NotAction === undefined ? list(Action) : `all but ${list(NotAction)}`,
    " on ",
    [Resource].flat().map(plain).join(" "),
    Condition === undefined ? "" : ` if ${plainOf(JSON.stringify(Condition))}`,
  ].join("");

const plain = (resource: unknown): string =>
  plainOf(typeof resource === "string" ? resource : JSON.stringify(resource));
/** Names without their hashes, ARNs without their account. */
const plainOf = (text: string): string =>
  text
    .replace(/\{"Fn::GetAtt":\["(\w+?)[0-9A-F]{8}","Arn"\]\}/g, "$1")
    .replace(/\{"Ref":"(\w+?)[0-9A-F]{8}"\}/g, "$1")
    .replace(/\{"Ref":"AWS::\w+"\}/g, "_")
    .replace(/\{"Fn::Join":\["",\[(.*?)\]\]\}/g, (_, parts: string) => parts.replaceAll(/",?"|"?,"|",|^"|"$/g, ""));

const log = (name: string) => `logs:CreateLogStream logs:PutLogEvents on ${name}Log`;
const traces = "xray:PutTelemetryRecords xray:PutTraceSegments on *";
const key = "secretsmanager:GetSecretValue on StorageModelKey";
const listing = "s3:ListBucket on StorageFiles";
const runs = "StorageFiles/runs/*";
const write = "dynamodb:GetItem dynamodb:PutItem dynamodb:Query dynamodb:UpdateItem on StorageRegistry";
/** A function that ends a run settles its lanes under a check of its record. */
const items = `dynamodb:ConditionCheckItem ${write}`;
const itemsAndRemoval = `dynamodb:ConditionCheckItem dynamodb:DeleteItem ${write}`;

describe("the role of", () => {
  it("plan: keeps the program in the place of one before it, reads the key", () => {
    expect(statementsOf("ControlUnitPlanRole")).toEqual([
      log("ControlUnitPlan"),
      itemsAndRemoval,
      `s3:GetObject s3:PutObject on ${runs}`,
      listing,
      key,
      traces,
    ]);
  });

  it("execute: changes files, reads the key, asks the evaluator", () => {
    expect(statementsOf("ControlUnitExecuteRole")).toEqual([
      log("ControlUnitExecute"),
      itemsAndRemoval,
      `s3:DeleteObject s3:GetObject s3:PutObject on ${runs}`,
      listing,
      key,
      "lambda:InvokeFunction on EvaluatorFunction",
      traces,
    ]);
  });

  it("deliver: reads and writes what the run has made", () => {
    expect(statementsOf("ControlUnitDeliverRole")).toEqual([
      log("ControlUnitDeliver"),
      items,
      `s3:GetObject s3:PutObject on ${runs}`,
      listing,
      traces,
    ]);
  });

  it("record-failure: writes the report", () => {
    expect(statementsOf("ControlUnitRecordFailureRole")).toEqual([
      log("ControlUnitRecordFailure"),
      items,
      `s3:PutObject on ${runs}`,
      traces,
    ]);
  });

  it("sweep: finds what is overdue, finishes removals, and starts and sees executions of the control unit", () => {
    expect(statementsOf("SweeperSweepRole")).toEqual([
      log("SweeperSweep"),
      itemsAndRemoval,
      "dynamodb:Query on StorageRegistry/index/due",
      `s3:DeleteObject s3:PutObject on ${runs}`,
      `${listing} if {"StringLike":{"s3:prefix":"runs/*"}}`,
      "states:StartExecution on ControlUnitStateMachine",
      "states:DescribeExecution on arn:_:states:_:_:execution:L2mac-control-unit:*",
    ]);
  });

  it("notify: finds what is due, takes it, drops it, notes what it gives up, and puts its own events on one bus", () => {
    const outbox = [
      log("NotifierNotify"),
      "dynamodb:DeleteItem dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem on StorageRegistry",
      "dynamodb:Query on StorageRegistry/index/due",
    ];
    const types = Object.values(DETAIL_TYPES).map((type) => JSON.stringify(type));
    const putting =
      "events:PutEvents on arn:_:events:_:_:event-bus/default " +
      `if {"StringEquals":{"events:source":"l2mac","events:detail-type":[${types}]}}`;
    expect(statementsOf("NotifierNotifyRole")).toEqual([...outbox, putting]);
    const secret = "secretsmanager:GetSecretValue on NotifierWebhookSecret";
    const webhook = { url: "https://hooks.example.org/" };
    expect(statementsOf("NotifierNotifyRole", synthesise({ webhook, runEvents: false }))).toEqual([...outbox, secret]);
    const otel = { endpoint: "https://collector.example.org", header: "x-key", protocol: "http/protobuf" as const };
    expect(statementsOf("NotifierNotifyRole", synthesise({ otel, runEvents: false }))).toEqual([
      outbox[0],
      outbox[1]?.replace(/^(.*?) (.*PutItem)/, "dynamodb:ConditionCheckItem $1 $2 dynamodb:Query"),
      ...[outbox[2], "secretsmanager:GetSecretValue on NotifierOtelHeader"],
    ]);
  });

  it("the Git token: read where a start is fetched and a result is pushed, and by nothing else", () => {
    const withGit = synthesise({ git: { host: "git.example.org" } });
    const readers = withGit
      .ofType("AWS::IAM::Policy")
      .filter(([, { Properties }]) => JSON.stringify(Properties).includes("GitToken"))
      .flatMap(([, { Properties }]) => [Properties.Roles].flat().map(plain));
    expect(readers.toSorted()).toEqual(["ControlUnitDeliverRole", "ControlUnitPlanRole"]);
    expect(statementsOf("ControlUnitDeliverRole", withGit)).toContain(
      "secretsmanager:GetSecretValue on ControlUnitGitToken",
    );
    const knowing = withGit
      .ofType("AWS::Lambda::Function")
      .filter(([, { Properties }]) => JSON.stringify(Properties.Environment ?? {}).includes("GIT_HOST"))
      .map(([id]) => id.replace(/[0-9A-F]{8}$/, ""));
    expect(knowing.toSorted()).toEqual(["ControlUnitDeliver", "ControlUnitPlan"]);
    expect(JSON.stringify(stack.template)).not.toContain("GIT_");
  });

  it("the API: makes runs, starts and deletes them, takes uploads, keeps programs, lists runs of their owner, gives what they made", () => {
    expect(statementsOf("ApiFunctionRole")).toEqual([
      log("ApiFunction"),
      itemsAndRemoval,
      "dynamodb:Query on StorageRegistry/index/owner",
      `s3:DeleteObject s3:GetObject s3:PutObject on StorageFiles/programs/* ${runs}`,
      "s3:GetObject s3:PutObject on StorageFiles/uploads/*",
      listing,
      key,
      "states:StartExecution on ControlUnitStateMachine",
    ]);
  });

  it("the state machine: calls its four functions, starts itself, logs and traces", () => {
    const logging =
      "logs:CreateLogDelivery logs:DeleteLogDelivery logs:DescribeLogGroups logs:DescribeResourcePolicies " +
      "logs:GetLogDelivery logs:ListLogDeliveries logs:PutResourcePolicy logs:UpdateLogDelivery";
    expect(statementsOf("ControlUnitRole")).toEqual([
      "lambda:InvokeFunction on ControlUnitDeliver ControlUnitExecute ControlUnitPlan ControlUnitRecordFailure",
      "states:StartExecution on arn:_:states:_:_:stateMachine:L2mac-control-unit",
      `${logging} xray:GetSamplingRules xray:GetSamplingTargets ${traces}`,
    ]);
  });

  it("the evaluator: exactly three statements, and code in it can do nothing but log", () => {
    expect(statementsOf("EvaluatorRole")).toEqual([
      log("Evaluator"),
      "ec2:AssignPrivateIpAddresses ec2:CreateNetworkInterface ec2:DeleteNetworkInterface " +
        "ec2:DescribeNetworkInterfaces ec2:DescribeSubnets ec2:UnassignPrivateIpAddresses on *",
      "Deny all but logs:CreateLogStream logs:PutLogEvents on * " +
        'if {"ArnLike":{"lambda:SourceFunctionArn":arn:_:lambda:_:_:function:*}}',
    ]);
  });
});

describe("users who deploy", () => {
  const page = readFileSync(new URL("../../docs/deploy.md", import.meta.url), "utf8");
  const [, policy = "{}"] = /<!-- policy: deploy -->\s*```json\n([\s\S]*?)```/.exec(page) ?? [];
  const documented = (action: string): string[] =>
    (JSON.parse(policy) as { Statement: Statement[] }).Statement.filter(({ Action }) =>
      [Action].flat().includes(action),
    )
      .flatMap(({ Resource }) => Resource as string | string[])
      .map((arn) => arn.replace(/^.*:secret:(\w+)\*$/, "$1"))
      .toSorted();
  const secretsIn = (config: unknown): string[] =>
    synthesise(config)
      .ofType("AWS::SecretsManager::Secret")
      .map(([id]) => id.slice(0, -8));

  it("may set every secret that a stack can have, and read the one that the webhook's receiver needs", () => {
    const otel = { endpoint: "https://collector.example.org", header: "x-key" };
    const configs = [
      { git: {}, otel, webhook: { url: "https://hooks.example.org/" } },
      { webhook: { format: "slack" } },
    ];
    const all = [...new Set(configs.flatMap(secretsIn))].toSorted();
    expect(documented("secretsmanager:PutSecretValue")).toEqual(all);
    expect(documented("secretsmanager:DescribeSecret")).toEqual(all);
    expect(documented("secretsmanager:GetSecretValue")).toEqual(["NotifierWebhookSecret"]);
  });
});

describe("all roles", () => {
  it("are those named here, the network log's and the gateway's, each trusting the one service that takes it", () => {
    const trusted = stack.ofType("AWS::IAM::Role").map(([id, { Properties }]) => {
      const document = Properties.AssumeRolePolicyDocument as { Statement: { Principal: { Service: string } }[] };
      expect(document.Statement).toHaveLength(1);
      return `${id.slice(0, -8)} ${document.Statement[0]?.Principal.Service}`;
    });
    const functions = ["Deliver", "Execute", "Plan", "RecordFailure"].map((name) => `ControlUnit${name}Role`);
    expect(trusted.toSorted()).toEqual(
      [
        ...[...functions, "ApiFunctionRole", "EvaluatorRole", "NotifierNotifyRole", "SweeperSweepRole"].map(
          (role) => `${role} lambda.amazonaws.com`,
        ),
        "ApiRestCloudWatchRole apigateway.amazonaws.com",
        "ControlUnitRole states.amazonaws.com",
        "EvaluatorNetworkRejectedIAMRole vpc-flow-logs.amazonaws.com",
      ].toSorted(),
    );
  });
});
