/** Walks each alarm to its topic, and on to the policy that must let CloudWatch publish there. */
import { expect, it } from "vitest";
import { synthesise } from "./synthesised.ts";

interface Statement {
  Effect: string;
  Action: string;
  Principal: { Service?: string; AWS?: string };
  Resource: { Ref?: string };
  Condition?: Record<string, Record<string, unknown>>;
}

it("sends the mail of every alarm: its topic has a subscription and lets CloudWatch of this account publish", () => {
  const stack = synthesise({ alarmMail: "somebody@example.org", webhook: { url: "https://hooks.example.org/" } });
  const alarms = stack.ofType("AWS::CloudWatch::Alarm");
  expect(alarms.length).toBeGreaterThan(0);
  for (const [id, { Properties }] of alarms) {
    const [action] = Properties.AlarmActions as { Ref: string }[];
    const topic = action?.Ref ?? "";
    expect([id, stack.resources[topic]?.Type]).toEqual([id, "AWS::SNS::Topic"]);
    const isOfTopic = (value: unknown) => JSON.stringify(value) === JSON.stringify({ Ref: topic });
    const policies = stack
      .ofType("AWS::SNS::TopicPolicy")
      .filter(([, policy]) => (policy.Properties.Topics as unknown[]).some(isOfTopic));
    // Of several policies the last one would hold alone.
    expect(policies).toHaveLength(1);
    const statements = policies.flatMap(
      ([, policy]) => (policy.Properties.PolicyDocument as { Statement: Statement[] }).Statement,
    );
    const allowing = statements.filter(({ Effect, Resource }) => Effect === "Allow" && isOfTopic(Resource));
    expect(allowing).toEqual([
      {
        ...{ Sid: "LetAlarmsPublish", Effect: "Allow", Action: "sns:Publish", Resource: { Ref: topic } },
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
      },
    ]);
    expect(statements.filter(({ Effect }) => Effect === "Deny")).toMatchObject([
      { Condition: { Bool: { "aws:SecureTransport": "false" } } },
    ]);
    const mailed = stack.ofType("AWS::SNS::Subscription").map(([, each]) => each.Properties);
    expect(mailed).toMatchObject([{ Endpoint: "somebody@example.org", TopicArn: { Ref: topic } }]);
  }
});

it("creates each log group before the resource whose service would create it", () => {
  const { ofType, template } = synthesise();
  const groups = ofType("AWS::Logs::LogGroup").filter(([, each]) => each.Properties.LogGroupName !== undefined);
  const referred = groups.flatMap(([, { Properties }]) => {
    const name = JSON.stringify(Properties.LogGroupName);
    return [...name.matchAll(/"Ref":"(\w+)"/g)].map(([, id = ""]) => template.toJSON().Resources[id]?.Type);
  });
  // API Gateway creates a log group with the first deployment to a stage, not with the API.
  expect(referred).toEqual(["AWS::ApiGateway::RestApi"]);
  const [[stageId = ""] = []] = ofType("AWS::ApiGateway::Stage");
  const [executionLog = ""] = groups.map(([id]) => id).filter((id) => id.startsWith("ApiExecutionLog"));
  expect(template.toJSON().Resources[stageId].DependsOn).toContain(executionLog);
});
