/** What can be turned off or chosen, one thing at a time: whatever an account refuses, the rest still deploys. */
import { beforeAll, describe, expect, it } from "vitest";
import { type SynthesisedStack, synthesise } from "./synthesised.ts";

interface Shut {
  vpc: boolean;
  noDns: boolean;
  denyRole: boolean;
  tenants: boolean;
}

const evaluatorOf = ({ ofType }: SynthesisedStack) =>
  ofType("AWS::Lambda::Function").find(([id]) => id.startsWith("EvaluatorFunction"))?.[1].Properties ?? {};

/** What is to be seen of each switch in the template. */
function shutIn(stack: SynthesisedStack): Shut {
  const evaluator = evaluatorOf(stack);
  const role = stack.ofType("AWS::IAM::Role").find(([id]) => id.startsWith("EvaluatorRole"));
  return {
    vpc: "VpcConfig" in evaluator,
    noDns: stack.ofType("AWS::EC2::VPC").every(([, { Properties }]) => Properties.EnableDnsSupport === false),
    denyRole: JSON.stringify(role).includes('"Effect":"Deny"'),
    tenants: JSON.stringify(evaluator.TenancyConfig) === '{"TenantIsolationMode":"PER_TENANT"}',
  };
}

describe("the evaluator's four switches", () => {
  it("are all on", () => {
    const stack = synthesise();
    expect(shutIn(stack)).toEqual({ vpc: true, noDns: true, denyRole: true, tenants: true });
    expect(evaluatorOf(stack)).not.toHaveProperty("Environment");
    expect(evaluatorOf(stack)).not.toHaveProperty("TracingConfig");
    expect(evaluatorOf(stack)).not.toHaveProperty("Layers");
  });

  it.each(["noDns", "denyRole", "tenants"] as const)("%s can be turned off alone", (name) => {
    const stack = synthesise({ evaluator: { [name]: false } }, { nag: true });
    expect(shutIn(stack)).toEqual({ vpc: true, noDns: true, denyRole: true, tenants: true, [name]: false });
  });

  it("vpc can be turned off alone: then there is no network at all, and no permission for one", () => {
    const stack = synthesise({ evaluator: { vpc: false } }, { nag: true });
    expect(shutIn(stack)).toMatchObject({ vpc: false, denyRole: true, tenants: true });
    expect(Object.values(stack.resources).filter(({ Type }) => Type.startsWith("AWS::EC2::"))).toEqual([]);
    expect(JSON.stringify(stack.resources)).not.toContain("ec2:");
  });

  it("tell the caller whether each run is a tenant", () => {
    const actual = (tenants: boolean) =>
      JSON.stringify(synthesise({ evaluator: { tenants } }).ofType("AWS::Lambda::Function")).match(
        /"EVALUATOR_TENANTS":"(\w+)"/,
      )?.[1];
    expect([actual(true), actual(false)]).toEqual(["true", "false"]);
  });
});

describe("the evaluator's network", () => {
  let stack: SynthesisedStack;
  beforeAll(() => {
    stack = synthesise();
  });
  it("is in the zones that were chosen, else in the first two of the Region", () => {
    const zonesOf = ({ ofType }: SynthesisedStack) =>
      ofType("AWS::EC2::Subnet").map(([, { Properties }]) => Properties.AvailabilityZone);
    expect(zonesOf(synthesise({ evaluator: { zones: ["us-east-1b", "us-east-1c"] } }))).toEqual([
      "us-east-1b",
      "us-east-1c",
    ]);
    expect(JSON.stringify(zonesOf(stack)).match(/Fn::GetAZs/g)).toHaveLength(2);
  });
  it("has isolated subnets, no route, and lets nothing out but to the endpoint", () => {
    expect(stack.ofType("AWS::EC2::Route")).toEqual([]);
    const subnets = stack.ofType("AWS::EC2::Subnet");
    expect(subnets).toHaveLength(2);
    for (const [, { Properties }] of subnets) expect(Properties.MapPublicIpOnLaunch).toBe(false);
    const groups = stack.ofType("AWS::EC2::SecurityGroup").map(([, { Properties }]) => Properties);
    expect(groups).toHaveLength(1);
    // Without a route, that is to the endpoint alone.
    expect(groups[0]?.SecurityGroupEgress).toMatchObject([
      { CidrIp: "0.0.0.0/0", IpProtocol: "tcp", FromPort: 443, ToPort: 443 },
    ]);
    expect(groups[0]).not.toHaveProperty("SecurityGroupIngress");
  });
});

describe("the endpoint of the isolated network", () => {
  it("is a gateway to S3 that reads the files of this stack's runs for every caller, and allows nothing else", () => {
    const stack = synthesise();
    const endpoints = stack.ofType("AWS::EC2::VPCEndpoint").map(([, { Properties }]) => Properties);
    expect(endpoints).toHaveLength(1);
    const [{ PolicyDocument, RouteTableIds, VpcEndpointType, ServiceName } = {}] = endpoints;
    expect(VpcEndpointType).toBe("Gateway");
    expect(JSON.stringify(ServiceName)).toMatch(/\.s3"/);
    expect(RouteTableIds).toHaveLength(2);
    const [[bucket = ""] = []] = stack.ofType("AWS::S3::Bucket").filter(([id]) => /^StorageFiles/.test(id));
    expect(PolicyDocument).toMatchObject({
      Statement: [
        {
          Effect: "Allow",
          Principal: { AWS: "*" },
          Action: "s3:GetObject",
          Resource: { "Fn::Join": ["", [{ "Fn::GetAtt": [bucket, "Arn"] }, "/runs/*"]] },
        },
      ],
    });
    expect((PolicyDocument as { Statement: unknown[] }).Statement).toHaveLength(1);
  });

  it("is not there without the network", () => {
    expect(synthesise({ evaluator: { vpc: false } }).ofType("AWS::EC2::VPCEndpoint")).toEqual([]);
  });
});

describe("the configuration", () => {
  it("chooses the evaluator's architecture, else it is that of the computer that builds its image", () => {
    expect(evaluatorOf(synthesise()).Architectures).toEqual(["x86_64"]);
    expect(evaluatorOf(synthesise({ evaluator: { architecture: "arm64" } })).Architectures).toEqual(["arm64"]);
  });

  it("takes an image that lies in ECR already, by tag or digest, and then builds none", () => {
    const registry = "123456789012.dkr.ecr.eu-west-1.amazonaws.com/team/l2mac";
    for (const chosen of [":v1", `@sha256:${"0".repeat(64)}`]) {
      const { ImageUri } = evaluatorOf(synthesise({ evaluator: { image: registry + chosen } })).Code as {
        ImageUri: unknown;
      };
      expect(JSON.stringify(ImageUri)).toContain("123456789012.dkr.ecr.eu-west-1.");
      expect(JSON.stringify(ImageUri)).toContain(`/team/l2mac${chosen}`);
    }
  });

  it("reserves concurrency where it is asked to, and nowhere else", () => {
    const stack = synthesise({ reservedConcurrency: { execute: 7, evaluator: 3, api: 5 } });
    const reserved = stack
      .ofType("AWS::Lambda::Function")
      .flatMap(([id, { Properties }]) =>
        Properties.ReservedConcurrentExecutions === undefined
          ? []
          : [`${id.slice(0, -8)} ${Properties.ReservedConcurrentExecutions}`],
      );
    expect(reserved.toSorted()).toEqual(["ApiFunction 5", "ControlUnitExecute 7", "EvaluatorFunction 3"]);
  });

  it("narrows the indexes of the registry to keys, or leaves them as version 0.1.0 created them", () => {
    const projections = (config: object) => {
      const [, table] = synthesise(config).ofType("AWS::DynamoDB::Table")[0] ?? [];
      const indexes = table?.Properties.GlobalSecondaryIndexes as { Projection: { ProjectionType: string } }[];
      return indexes.map(({ Projection }) => Projection.ProjectionType);
    };
    expect(projections({})).toEqual(["KEYS_ONLY", "KEYS_ONLY"]);
    expect(projections({ wideIndexes: true })).toEqual(["ALL", "ALL"]);
  });

  it("lets a stack go with its data, where that was asked for", () => {
    const stack = synthesise({ keepData: false });
    const [, table] = stack.ofType("AWS::DynamoDB::Table")[0] ?? [];
    expect(table).toMatchObject({ DeletionPolicy: "Delete", Properties: { DeletionProtectionEnabled: false } });
    for (const [, bucket] of stack.ofType("AWS::S3::Bucket")) expect(bucket.DeletionPolicy).toBe("Delete");
  });

  it("sets the loops of an execution, how long logs are kept, and the stack's name", () => {
    const stack = synthesise({ loopLimit: 3, logRetentionDays: 7, stackName: "Other" }, { nag: true });
    const [, machine] = stack.ofType("AWS::StepFunctions::StateMachine")[0] ?? [];
    expect(machine?.Properties).toMatchObject({
      StateMachineName: "Other-control-unit",
      DefinitionSubstitutions: { LoopLimit: "3" },
    });
    for (const [, { Properties }] of stack.ofType("AWS::Logs::LogGroup")) expect(Properties.RetentionInDays).toBe(7);
  });

  it("has the general state machine also where a configuration of version 0.2.0 names a program", () => {
    const machineOf = (config: unknown) => {
      const [, machine] = synthesise(config).ofType("AWS::StepFunctions::StateMachine")[0] ?? [];
      return machine?.Properties;
    };
    expect(machineOf({ program: "gone.md" })).toEqual(machineOf({}));
  });

  it("lets the API show everybody the runs of all, where that was asked for", () => {
    const actual = (config: unknown) =>
      JSON.stringify(synthesise(config).ofType("AWS::Lambda::Function")).match(/"SHARED_RUNS":"(\w+)"/)?.[1];
    expect([actual({}), actual({ sharedRuns: true })]).toEqual(["false", "true"]);
  });

  it("tells those who ask the model, and those who let runs go on, what all runs may spend in a day", () => {
    const actual = (config: unknown) =>
      synthesise(config)
        .ofType("AWS::Lambda::Function")
        .flatMap(([, { Properties }]) => {
          const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
          return Variables.DAILY_USD === undefined ? [] : [`${Properties.Handler} ${Variables.DAILY_USD}`];
        })
        .toSorted();
    expect(actual({})).toEqual([]);
    expect(actual({ dailyUsd: 12.5 })).toEqual(["entry.api 12.5", "entry.execute 12.5", "entry.plan 12.5"]);
  });

  it("notifies a configured webhook: every function that changes runs queues notifications, one function sends them", () => {
    const without = synthesise({ runEvents: false });
    expect(JSON.stringify(without.resources)).not.toMatch(/WEBHOOK|NOTIFIES|Notif|EVENTS_STACK/);
    const url = "https://hooks.example.org/l2mac";
    const stack = synthesise({ webhook: { url } }, { nag: true });
    const actual = stack.ofType("AWS::Lambda::Function").flatMap(([, { Properties }]) => {
      const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
      return Variables.NOTIFIES === "true" ? [{ handler: Properties.Handler, ...Variables }] : [];
    });
    const handlers = ["api", "deliver", "execute", "notify", "plan", "recordFailure", "sweep"];
    expect(actual.map(({ handler }) => handler).toSorted()).toEqual(handlers.map((name) => `entry.${name}`));
    expect(actual.find(({ handler }) => handler === "entry.notify")).toMatchObject({
      ...{ WEBHOOK_URL: url, WEBHOOK_ALLOW_PRIVATE: "false" },
    });
    const rules = stack.ofType("AWS::Events::Rule").map(([, { Properties }]) => Properties.ScheduleExpression);
    expect(rules.toSorted()).toEqual(["rate(1 minute)", "rate(5 minutes)"]);
    const [, secret] = stack.ofType("AWS::SecretsManager::Secret").find(([id]) => id.startsWith("Notifier")) ?? [];
    expect(secret).toMatchObject({
      DeletionPolicy: "Delete",
      Properties: { GenerateSecretString: { PasswordLength: 48, ExcludePunctuation: true } },
    });
    expect(Object.keys(stack.template.findOutputs("GetWebhookSecret"))).toHaveLength(1);
    expect(Object.keys(without.template.findOutputs("GetWebhookSecret"))).toEqual([]);
  });

  it("sends events of runs to the default bus without a webhook and without a secret", () => {
    const stack = synthesise();
    const sending = stack.ofType("AWS::Lambda::Function").find(([id]) => id.startsWith("NotifierNotify"))?.[1];
    const { Variables = {} } = (sending?.Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
    expect(Variables).toMatchObject({ NOTIFIES: "true", EVENTS_STACK: "L2mac" });
    expect(JSON.stringify(Variables)).not.toContain("WEBHOOK");
    expect(stack.ofType("AWS::SecretsManager::Secret")).toHaveLength(1);
  });

  it("takes the address of a Slack webhook as a secret, and signs nothing", () => {
    const stack = synthesise({ webhook: { format: "slack" }, runEvents: false }, { nag: true });
    const secrets = stack.ofType("AWS::SecretsManager::Secret").map(([id]) => id.slice(0, -8));
    expect(secrets.toSorted()).toEqual(["NotifierWebhookAddress", "StorageModelKey"]);
    expect(Object.keys(stack.template.findOutputs("SetWebhookAddress"))).toHaveLength(1);
    expect(Object.keys(stack.template.findOutputs("GetWebhookSecret"))).toEqual([]);
    const url = "https://hooks.slack.com/services/T0/B0/x";
    const named = synthesise({ webhook: { format: "slack", url } });
    expect(named.ofType("AWS::SecretsManager::Secret")).toHaveLength(1);
    expect(JSON.stringify(named.ofType("AWS::Lambda::Function"))).toContain(`"WEBHOOK_FORMAT":"slack"`);
  });

  it("says how much all runs may spend in an hour before an alarm goes off", () => {
    const actual = (config: unknown) => {
      const alarms = synthesise(config).ofType("AWS::CloudWatch::Alarm");
      const [, { Properties } = { Properties: {} }] = alarms.find(([id]) => id.startsWith("AlarmsSpend")) ?? [];
      return Properties;
    };
    expect(actual({})).toMatchObject({
      ...{ Namespace: "L2MAC", MetricName: "Spend", Dimensions: [{ Name: "service", Value: "L2mac" }] },
      ...{ Statistic: "Sum", Period: 3_600, Threshold: 25, ComparisonOperator: "GreaterThanThreshold" },
    });
    expect(actual({ alarmSpendPerHourUsd: 0.5 })).toMatchObject({ Threshold: 0.5 });
  });

  it("raises alarms without a recipient if no mail address is configured", () => {
    const stack = synthesise();
    expect(stack.ofType("AWS::SNS::Topic")).toEqual([]);
    expect(stack.ofType("AWS::CloudWatch::Alarm").length).toBeGreaterThan(0);
  });
});
