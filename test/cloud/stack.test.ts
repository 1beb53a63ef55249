/** What the stack promises, one claim a test: the checklist of what a stack of this shape must hold. */

import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import {
  EVALUATION_MS,
  EVALUATOR_ANSWER_MS,
  EVALUATOR_INVOCATION_MS,
  INVOCATION_MS,
  LOOPS_PER_EXECUTION,
} from "../../lib/core/limits.ts";
import { loadDefinition } from "../../lib/engine/asl-definition.ts";
import { tableDefinition } from "../doubles/table-definition.ts";
import { asValidated } from "./as-validated.ts";
import { type SynthesisedStack, synthesise } from "./synthesised.ts";

/** It declares no types. */
const validate: (definition: unknown) => { isValid: boolean; errorsText: () => string } = createRequire(
  import.meta.url,
)("asl-validator");

let stack: SynthesisedStack;
beforeAll(() => {
  stack = synthesise({ alarmMail: "somebody@example.org" }, { nag: true });
});

const only = (type: string) => {
  const found = stack.ofType(type);
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? { Type: type, Properties: {} };
};
/** Those whose logical id begins so. */
const named = (type: string, prefix: string) => stack.ofType(type).find(([id]) => id.startsWith(prefix))?.[1];
const ours = () => stack.ofType("AWS::Lambda::Function").filter(([id]) => !id.startsWith("Evaluator"));

describe("the registry's table", () => {
  it("is the one that the adapter is tested with: keys, indexes, attributes, billing", () => {
    const { TableName: _, AttributeDefinitions, ...rest } = tableDefinition("any");
    const table = only("AWS::DynamoDB::Table").Properties;
    expect(table).toMatchObject(rest);
    expect(table.AttributeDefinitions).toEqual(expect.arrayContaining(AttributeDefinitions));
    expect(table.AttributeDefinitions).toHaveLength(AttributeDefinitions.length);
    expect(table.GlobalSecondaryIndexes).toHaveLength(rest.GlobalSecondaryIndexes.length);
  });

  it("can be restored to any moment, forgets what expires, and is not deleted by mistake", () => {
    const table = only("AWS::DynamoDB::Table");
    expect(table.Properties).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: "expiresAt", Enabled: true },
      DeletionProtectionEnabled: true,
    });
    expect(table).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
  });
});

describe("the file store's bucket", () => {
  const bucket = () => named("AWS::S3::Bucket", "StorageFiles");
  it("is private", () => {
    for (const [, { Properties }] of stack.ofType("AWS::S3::Bucket"))
      expect(Properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          ...{ BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true },
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
        BucketEncryption: expect.anything(),
      });
  });
  it("speaks TLS only", () => {
    const policies = stack.ofType("AWS::S3::BucketPolicy");
    expect(policies).toHaveLength(2);
    for (const [, { Properties }] of policies)
      expect(JSON.stringify(Properties)).toMatch(
        /"Condition":\{"Bool":\{"aws:SecureTransport":"false"\}\},"Effect":"Deny"/,
      );
  });
  it("drops broken uploads and what was replaced, and never a run by its age", () => {
    const { LifecycleConfiguration } = bucket()?.Properties ?? {};
    expect(LifecycleConfiguration).toEqual({
      Rules: [
        { Id: "broken-uploads", Status: "Enabled", AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
        { Id: "uploads", Status: "Enabled", Prefix: "uploads/", ExpirationInDays: 1 },
        {
          ...{ Id: "replaced", Status: "Enabled", ExpiredObjectDeleteMarker: true },
          NoncurrentVersionExpiration: { NoncurrentDays: 7 },
        },
      ],
    });
  });
  it("keeps versions and a log of its use, outlives the stack, and opens to no other origin", () => {
    expect(bucket()?.Properties).toMatchObject({
      VersioningConfiguration: { Status: "Enabled" },
      LoggingConfiguration: { LogFilePrefix: "files/" },
    });
    expect(bucket()?.DeletionPolicy).toBe("Retain");
    expect(bucket()?.Properties).not.toHaveProperty("CorsConfiguration");
  });
});

describe("the model server's key", () => {
  it("has no value in the template", () => {
    expect(Object.keys(only("AWS::SecretsManager::Secret").Properties)).toEqual(["Description", "Tags"]);
  });
  it("is read only by the two functions that call the model, and by the API that reports whether it is set", () => {
    const readers = stack
      .ofType("AWS::IAM::Policy")
      .filter(([, policy]) => JSON.stringify(policy).includes("secretsmanager:"))
      .map(([id]) => id.replace(/Role.*/, ""));
    expect(readers.toSorted()).toEqual(["ApiFunction", "ControlUnitExecute", "ControlUnitPlan"]);
  });
});

describe("the state machine", () => {
  const machine = () => only("AWS::StepFunctions::StateMachine").Properties;
  it("is a standard one, logs all but what travels through it, and is traced", () => {
    expect(machine()).toMatchObject({
      StateMachineType: "STANDARD",
      LoggingConfiguration: { Level: "ALL", IncludeExecutionData: false },
      TracingConfiguration: { Enabled: true },
    });
  });

  it("is the definition that the engine walks, every placeholder filled and none too many", () => {
    const { DefinitionString, DefinitionSubstitutions } = machine() as {
      DefinitionString: string;
      DefinitionSubstitutions: Record<string, unknown>;
    };
    const placeholders = new Set([...DefinitionString.matchAll(/\$\{(\w+)\}/g)].map((match) => match[1]));
    expect(Object.keys(DefinitionSubstitutions).toSorted()).toEqual([...placeholders].toSorted());
    expect(DefinitionSubstitutions.LoopLimit).toBe(String(LOOPS_PER_EXECUTION));
    const functions = ["Plan", "Execute", "Deliver", "RecordFailure"];
    for (const name of functions) {
      const called = (DefinitionSubstitutions[`${name}Function`] as { "Fn::GetAtt": string[] })["Fn::GetAtt"][0] ?? "";
      expect(stack.resources[called]?.Properties.Handler).toBe(`entry.${name.charAt(0).toLowerCase()}${name.slice(1)}`);
    }
    expect(() => loadDefinition(DefinitionString, asArns(DefinitionSubstitutions))).not.toThrow();
  });

  it("is valid in the eyes of a validator that others wrote", () => {
    const { DefinitionString, DefinitionSubstitutions } = machine() as {
      DefinitionString: string;
      DefinitionSubstitutions: Record<string, unknown>;
    };
    const arns = asArns(DefinitionSubstitutions);
    const filled = DefinitionString.replace(/\$\{(\w+)\}/g, (_, name: string) => arns[name] ?? "");
    // It takes a state called Next for a transition, and knows no empty text. Step Functions takes both.
    const { isValid, errorsText } = validate(asValidated(JSON.parse(filled)));
    expect(isValid ? "" : errorsText()).toBe("");
  });

  it("would not be valid with a way that leads nowhere, or a state of no known type", () => {
    const valid = {
      StartAt: "A",
      QueryLanguage: "JSONata",
      States: { A: { Type: "Pass", Next: "B" }, B: { Type: "Succeed" } },
    };
    expect(validate(valid).isValid).toBe(true);
    expect(validate({ ...valid, StartAt: "C" }).isValid).toBe(false);
    expect(validate({ ...valid, States: { ...valid.States, B: { Type: "Rest" } } }).isValid).toBe(false);
  });

  it("names itself as it will be named", () => {
    const { StateMachineName, DefinitionSubstitutions } = machine() as {
      StateMachineName: string;
      DefinitionSubstitutions: { StateMachineArn: unknown };
    };
    expect(JSON.stringify(DefinitionSubstitutions.StateMachineArn)).toContain(`:stateMachine:${StateMachineName}"`);
  });
});

const asArns = (substitutions: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(substitutions).map(([name, value]) => [
      name,
      // A partition is a reference.
      name === "Partition"
        ? "aws"
        : typeof value === "string"
          ? value
          : `arn:aws:lambda:eu-west-1:123456789012:function:${name}`,
    ]),
  );

describe("each function", () => {
  it("runs on Node 24 on arm64, with JSON logs, from one bundle", () => {
    expect(ours().map(([, { Properties }]) => Properties.Handler)).toEqual(
      ["plan", "execute", "deliver", "recordFailure", "sweep", "notify", "api"].map((name) => `entry.${name}`),
    );
    const codes = new Set(ours().map(([, { Properties }]) => JSON.stringify(Properties.Code)));
    expect(codes.size).toBe(1);
    for (const [, { Properties }] of ours())
      expect(Properties).toMatchObject({
        ...{ Runtime: "nodejs24.x", Architectures: ["arm64"], LoggingConfig: { LogFormat: "JSON" } },
      });
  });

  it("is traced, but those that the clock or a watcher calls again and again: each trace is charged", () => {
    const untraced = ours().filter(
      ([, { Properties }]) => JSON.stringify(Properties.TracingConfig) !== '{"Mode":"Active"}',
    );
    expect(untraced.map(([, { Properties }]) => Properties.Handler)).toEqual([
      "entry.sweep",
      "entry.notify",
      "entry.api",
    ]);
  });

  it("has a role and a log of its own; logs are kept for a while, not for ever", () => {
    const functions = stack.ofType("AWS::Lambda::Function").map(([, { Properties }]) => Properties);
    expect(new Set(functions.map(({ Role }) => JSON.stringify(Role))).size).toBe(functions.length);
    expect(new Set(functions.map(({ LoggingConfig }) => JSON.stringify(LoggingConfig))).size).toBe(functions.length);
    const logs = stack.ofType("AWS::Logs::LogGroup");
    expect(logs.filter(([, { Properties }]) => Properties.RetentionInDays !== 30)).toEqual([]);
    expect(logs).toHaveLength(functions.length + 4);
  });

  it("has a time-out above its own deadline and below that of its caller", () => {
    const timeouts = Object.fromEntries(
      stack.ofType("AWS::Lambda::Function").map(([id, { Properties }]) => [id.slice(0, -8), Properties.Timeout]),
    );
    expect(timeouts.EvaluatorFunction).toBe(EVALUATOR_INVOCATION_MS / 1_000);
    expect(EVALUATION_MS / 1_000).toBeLessThan(timeouts.EvaluatorFunction as number);
    expect(timeouts.EvaluatorFunction).toBeLessThan(EVALUATOR_ANSWER_MS / 1_000);
    // The entry keeps 20 seconds to itself; the states wait for 870.
    expect(timeouts.ControlUnitExecute).toBe(INVOCATION_MS / 1_000 + 20);
    expect(timeouts.ControlUnitExecute).toBeLessThan(870);
    expect(timeouts.SweeperSweep).toBeLessThan(300);
  });

  it("reserves no concurrency unless asked to: new accounts have none to reserve", () => {
    for (const [, { Properties }] of stack.ofType("AWS::Lambda::Function"))
      expect(Properties).not.toHaveProperty("ReservedConcurrentExecutions");
  });

  it("is called with the environment that it needs, and no function with more", () => {
    const powertools = ["POWERTOOLS_METRICS_NAMESPACE", "POWERTOOLS_SERVICE_NAME"];
    const always = ["BUCKET_NAME", "NOTIFIES", ...powertools, "TABLE_NAME"];
    const actual = Object.fromEntries(
      ours().map(([, { Properties }]) => {
        const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
        const more = Object.keys(Variables).filter((name) => !always.includes(name));
        expect(Object.keys(Variables)).toEqual(expect.arrayContaining(always));
        return [String(Properties.Handler).slice("entry.".length), more.toSorted()];
      }),
    );
    expect(actual).toEqual({
      plan: ["SECRET_ID"],
      execute: ["EVALUATOR_FUNCTION", "EVALUATOR_TENANTS", "SECRET_ID"],
      deliver: [],
      recordFailure: [],
      sweep: ["STATE_MACHINE_ARN"],
      notify: ["EVENTS_STACK"],
      api: ["SECRET_ID", "SHARED_RUNS", "STATE_MACHINE_ARN"],
    });
  });
});

describe("the API", () => {
  it("takes all types for binary: whatever the function answers in base64 is turned back, whatever is accepted", () => {
    expect(only("AWS::ApiGateway::RestApi").Properties.BinaryMediaTypes).toEqual(["*/*"]);
  });
  it("requires IAM authorisation on every path", () => {
    const methods = stack.ofType("AWS::ApiGateway::Method").map(([, { Properties }]) => Properties);
    const way = { HttpMethod: "ANY", AuthorizationType: "AWS_IAM", Integration: { Type: "AWS_PROXY" } };
    expect(methods).toMatchObject([way, way]);
    expect(only("AWS::ApiGateway::Resource").Properties.PathPart).toBe("{proxy+}");
    expect(stack.ofType("AWS::ApiGateway::RestApi")).toHaveLength(1);
  });

  it("is throttled, and writes down who asked and not what", () => {
    expect(only("AWS::ApiGateway::Stage").Properties).toMatchObject({
      ...{ StageName: "v1", TracingEnabled: false, AccessLogSetting: expect.anything() },
      MethodSettings: [
        { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100, LoggingLevel: "ERROR", DataTraceEnabled: false },
      ],
    });
  });

  it("refuses as the API does, where API Gateway itself refuses", () => {
    const refusals = stack.ofType("AWS::ApiGateway::GatewayResponse").map(([, { Properties }]) => Properties);
    expect(refusals.map(({ ResponseType }) => ResponseType)).toEqual(["DEFAULT_4XX", "DEFAULT_5XX"]);
    for (const { ResponseParameters, ResponseTemplates } of refusals) {
      expect(ResponseParameters).toEqual({ "gatewayresponse.header.content-type": "'application/problem+json'" });
      const [template = ""] = Object.values(ResponseTemplates as Record<string, string>);
      const filled = template.replace("$context.error.messageString", '"Forbidden"');
      expect(Object.keys(JSON.parse(filled))).toEqual(["type", "title", "detail", "requestId"]);
    }
  });

  it("leaves the account's log role where it is when the stack goes", () => {
    expect(only("AWS::ApiGateway::Account").DeletionPolicy).toBe("Retain");
    const role = stack.ofType("AWS::IAM::Role").find(([id]) => id.startsWith("ApiRestCloudWatchRole"))?.[1];
    expect(role?.DeletionPolicy).toBe("Retain");
  });
});

describe("the sweeper's schedule", () => {
  it("calls it every five minutes, and keeps the calls that failed", () => {
    expect(named("AWS::Events::Rule", "SweeperSchedule")?.Properties).toMatchObject({
      ScheduleExpression: "rate(5 minutes)",
      State: "ENABLED",
      Targets: [
        {
          DeadLetterConfig: expect.anything(),
          RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 300 },
        },
      ],
    });
    expect(named("AWS::Lambda::EventInvokeConfig", "SweeperSweep")?.Properties).toMatchObject({
      MaximumEventAgeInSeconds: 300,
      MaximumRetryAttempts: 0,
    });
    // The alarm on them is over a day later, whether or not anybody reads them.
    expect(named("AWS::SQS::Queue", "SweeperMissed")?.Properties).toMatchObject({ MessageRetentionPeriod: 86_400 });
  });
});

describe("alarms", () => {
  it("cover failures, throttling, runaways, spend, the sweeper and its missed calls, and say what they mean", () => {
    const alarms = stack.ofType("AWS::CloudWatch::Alarm");
    const actual = alarms.map(([id, { Properties }]) => [
      id.slice("Alarms".length, -8),
      // Every metric of an alarm is charged: none has several.
      Properties.MetricName,
      Properties.Threshold,
    ]);
    expect(actual).toEqual([
      ["Failed", "ExecutionsFailed", 0],
      ["StatesThrottled", "ExecutionThrottled", 0],
      ["Errors", "FailedInvocations", 0],
      ["Throttled", "Throttles", 50],
      ["Runaway", "Invocations", 10_000],
      ["Spend", "Spend", 25],
      ["Swept", "Sweep.problems", 0],
      ["SweeperMissed", "ApproximateNumberOfMessagesVisible", 0],
    ]);
    for (const [, { Properties }] of alarms) {
      expect(String(Properties.AlarmDescription).length).toBeGreaterThan(40);
      expect(Properties.TreatMissingData).toBe("notBreaching");
    }
  });

  it("count the failed invocations of every function by the report that ends its log", () => {
    const filters = stack.ofType("AWS::Logs::MetricFilter").map(([, { Properties }]) => Properties);
    const alarm = named("AWS::CloudWatch::Alarm", "AlarmsErrors")?.Properties;
    const groups = stack
      .ofType("AWS::Lambda::Function")
      .map(([, { Properties }]) => Object(Properties.LoggingConfig).LogGroup);
    expect(filters.map(({ LogGroupName }) => JSON.stringify(LogGroupName)).toSorted()).toEqual(
      groups.map((group) => JSON.stringify(group)).toSorted(),
    );
    for (const { FilterPattern, MetricTransformations } of filters) {
      expect(FilterPattern).toBe('{ ($.type = "platform.report") && ($.record.status != "success") }');
      expect(MetricTransformations).toEqual([
        { MetricNamespace: alarm?.Namespace, MetricName: alarm?.MetricName, MetricValue: "1" },
      ]);
    }
  });
});

describe("the dashboard", () => {
  it("shows runs, money, every function, the sweeper and the API", () => {
    const { DashboardBody, DashboardName } = only("AWS::CloudWatch::Dashboard").Properties;
    // Dashboards of all Regions of an account share their names.
    expect(DashboardName).toEqual({ "Fn::Join": ["", ["L2mac-", { Ref: "AWS::Region" }]] });
    const body = JSON.stringify(DashboardBody);
    for (const name of ["plan", "execute", "deliver", "recordFailure", "evaluator", "sweep", "notify", "api"])
      expect(body).toContain(`\\"label\\":\\"${name}\\"`);
    for (const metric of ["ExecutionsFailed", "Spend", "FailedInvocations", "Sweep.problems", "5XXError", "Latency"])
      expect(body).toContain(metric);
  });
});

describe("the stack as a whole", () => {
  it("has no gateway and no address, and an endpoint of the kind that is free: idle, it costs next to nothing", () => {
    const types = new Set(Object.values(stack.resources).map(({ Type }) => Type));
    const costly = /NatGateway|InternetGateway|::EIP|LoadBalancer|KMS::Key|Route$/;
    expect([...types].filter((type) => costly.test(type))).toEqual([]);
    expect(only("AWS::EC2::VPCEndpoint").Properties.VpcEndpointType).toBe("Gateway");
  });

  it("says of everything that holds data what happens to it when the stack goes", () => {
    const holding = /DynamoDB::Table|S3::Bucket$|SecretsManager::Secret|Logs::LogGroup|SQS::Queue$/;
    const unsaid = Object.entries(stack.resources).filter(
      ([, { Type, DeletionPolicy, UpdateReplacePolicy }]) =>
        holding.test(Type) && !(DeletionPolicy && UpdateReplacePolicy),
    );
    expect(unsaid.map(([id]) => id)).toEqual([]);
  });

  it("makes no function but those that are named: no custom resource, nothing of CDK's own", () => {
    expect(stack.ofType("AWS::Lambda::Function")).toHaveLength(8);
    expect(Object.values(stack.resources).filter(({ Type }) => /^Custom|CustomResource/.test(Type))).toEqual([]);
  });

  it("prints what to do next, and never a key on a command line", () => {
    const outputs = stack.template.toJSON().Outputs as Record<string, { Value: unknown }>;
    expect(JSON.stringify(outputs.SetModelKey?.Value)).toMatch(/put-secret-value .*file:\/\/\/dev\/stdin/);
    expect(Object.keys(outputs)).toEqual([
      ...["SetModelKey", "FirstRehearsal", "FirstRun", "ModelKeySecret", "ApiUrl"],
      ...["Table", "Bucket", "StateMachine", "EvaluatorFunction", "EvaluatorLog"],
    ]);
    expect(JSON.stringify(outputs.FirstRehearsal?.Value)).toMatch(/aws-sigv4.*rehearsal.*runs/);
  });

  it("passes cdk-nag; what it found is acknowledged here, each with a reason", () => {
    // It was synthesised with cdk-nag looking: another finding would have thrown.
    const actual = stack.acknowledged.map(({ path, id }) => `${path.replace("L2mac/", "")} ${id}`);
    const runs = "AwsSolutions-IAM5[Resource::<StorageFiles48C02C92.Arn>/runs/*]";
    const all = "AwsSolutions-IAM5[Resource::*]";
    const executions =
      "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:L2mac-control-unit:*]";
    const logs = "arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs";
    const functions = ["ControlUnit/Plan", "ControlUnit/Execute", "ControlUnit/Deliver", "ControlUnit/RecordFailure"];
    expect(actual.toSorted()).toEqual(
      [
        "Storage/ModelKey AwsSolutions-SMG4",
        `Evaluator/Role ${all}`,
        `ControlUnit/Role ${all}`,
        "Sweeper/Missed AwsSolutions-SQS3",
        `Sweeper/SweepRole ${executions}`,
        ...["APIG2", "APIG3", "COG4"].map((finding) => `Api/Rest AwsSolutions-${finding}`),
        `Api/Rest AwsSolutions-IAM4[Policy::${logs}]`,
        ...functions.map((name) => `${name}Role ${all}`),
        ...[...functions, "Sweeper/Sweep", "Notifier/Notify", "Api/Function"].map((name) => `${name}Role ${runs}`),
        ...["programs", "uploads"].map((folder) => `Api/FunctionRole ${runs.replace("runs", folder)}`),
      ].toSorted(),
    );
    expect(stack.acknowledged.filter(({ reason }) => reason.length < 30)).toEqual([]);
  });
});
