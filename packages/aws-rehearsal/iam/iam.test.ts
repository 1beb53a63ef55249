/** IAM for the deployed stack: its roles, resource policies, and which permissions were used. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deployQuickly, resourceIn } from "../cloudformation/quick-deployment.ts";
import type { DeployedResource, Deployment, Principal } from "../parts.ts";
import { allowancesOf, unusedOf } from "./allowances.ts";
import { createIam, type PlayedIam } from "./iam.ts";
import { resourceStatements, roleStatements } from "./policies.ts";

let deployed: Deployment;
let iam: PlayedIam;
beforeAll(() => {
  deployed = deployQuickly();
});
beforeEach(() => {
  iam = createIam(deployed);
});

const LAMBDA = "lambda.amazonaws.com";
const role = (begins: string) => resourceIn(deployed, "AWS::IAM::Role", begins);
const as = (begins: string): Principal => iam.assume(role(begins).arn ?? "", LAMBDA);
const arnOf = (type: string, begins = "") => resourceIn(deployed, type, begins).arn ?? "";
const table = () => arnOf("AWS::DynamoDB::Table");

describe("a session of a role", () => {
  it("has credentials by which it is found again, and the name of its function", () => {
    const who = as("ControlUnitExecuteRole");
    const [roleName, functionName] = [
      role("ControlUnitExecuteRole").ref,
      resourceIn(deployed, "AWS::Lambda::Function", "ControlUnitExecute").ref,
    ];
    expect(who.arn).toBe(`arn:aws:sts::111122223333:assumed-role/${roleName}/${functionName}`);
    expect(who.credentials).toMatchObject({
      accessKeyId: expect.stringMatching(/^ASIA[0-9A-F]{16}$/),
      sessionToken: expect.any(String),
    });
    expect(iam.find(who.credentials.accessKeyId)).toBe(who);
    expect(iam.sourceFunctionOf(who)).toBe(arnOf("AWS::Lambda::Function", "ControlUnitExecute"));
    expect(as("ControlUnitExecuteRole").credentials).not.toEqual(who.credentials);
    expect(iam.find("AKIANOBODY")).toBeUndefined();
  });

  it("has the policies of an update from then on", () => {
    const who = as("ControlUnitExecuteRole");
    const reading = [{ action: "dynamodb:GetItem", resource: table() }];
    expect(iam.authorise(who, reading)).toBeUndefined();
    const policies = Object.entries(deployed.resources).filter(([, { type }]) => type !== "AWS::IAM::Policy");
    iam.update({ ...deployed, resources: Object.fromEntries(policies) });
    expect(iam.authorise(who, reading)).toMatchObject({ action: "dynamodb:GetItem" });
  });

  it("is for the service alone that the role trusts", () => {
    const arn = role("ControlUnitRole").arn ?? "";
    expect(() => iam.assume(arn, LAMBDA)).toThrow(/lambda.amazonaws.com is not trusted by the role ControlUnitRole/);
    const who = iam.assume(arn, "states.amazonaws.com");
    expect(iam.sourceFunctionOf(who)).toBeUndefined();
    expect(() => iam.assume("arn:aws:iam::1:role/none", LAMBDA)).toThrow("There is no role arn:aws:iam::1:role/none");
  });

  it("is not opened for a role whose managed policies are not known", () => {
    const arn = role("ApiRestCloudWatchRole").arn ?? "";
    expect(() => iam.assume(arn, "apigateway.amazonaws.com")).toThrow(/AmazonAPIGatewayPushToCloudWatchLogs/);
  });
});

describe("what is asked", () => {
  it("must be allowed in all its parts, and only then counts as used", () => {
    const who = as("ApiFunctionRole");
    const [get, remove] = ["GetItem", "DeleteTable"].map((action) => ({
      action: `dynamodb:${action}`,
      resource: table(),
    }));
    if (!get || !remove) throw new Error("nothing to ask");
    expect(iam.authorise(who, [get, remove])).toEqual({
      principal: who.name,
      action: "dynamodb:DeleteTable",
      resource: table(),
      message: `User: ${who.arn} is not authorized to perform: dynamodb:DeleteTable on resource: ${table()} because no identity-based policy allows the dynamodb:DeleteTable action`,
    });
    expect(iam.ledger.uses).toEqual([]);
    expect(iam.ledger.denials).toHaveLength(1);
    for (let time = 0; time < 3; time += 1) expect(iam.authorise(who, [get])).toBeUndefined();
    expect(iam.ledger.uses).toEqual([{ principal: who.name, statement: 1, action: "dynamodb:GetItem" }]);
  });

  it("is denied outright to code in the evaluator, and not to Lambda, which acts under the same role", () => {
    const who = as("EvaluatorRole");
    const network = { action: "ec2:CreateNetworkInterface", resource: "*" };
    expect(iam.authorise(who, [network])).toBeUndefined();
    const byCode = { ...network, context: { "lambda:sourcefunctionarn": iam.sourceFunctionOf(who) ?? "" } };
    expect(iam.authorise(who, [byCode])?.message).toMatch(/ with an explicit deny in an identity-based policy$/);
    const log = {
      ...byCode,
      action: "logs:PutLogEvents",
      resource: arnOf("AWS::Logs::LogGroup", "EvaluatorLog").replace(":*", ":log-stream:1"),
    };
    expect(iam.authorise(who, [log])).toBeUndefined();
  });

  it("is denied by a bucket's own policy where the transport is not that of AWS", () => {
    const who = as("ControlUnitExecuteRole");
    const put = { action: "s3:PutObject", resource: `${arnOf("AWS::S3::Bucket", "StorageFiles")}/runs/1` };
    expect(iam.authorise(who, [put])).toBeUndefined();
    for (const context of [{ "aws:securetransport": "false" }, { "s3:tlsversion": "1.1" }])
      expect(iam.authorise(who, [{ ...put, context }])?.message).toBe(
        `User: ${who.arn} is not authorized to perform: s3:PutObject on resource: "${put.resource}" with an explicit deny in a resource-based policy`,
      );
  });

  it("authorises a user with a policy, and refuses unknown callers", () => {
    const invoke = {
      action: "execute-api:Invoke",
      resource: "arn:aws:execute-api:eu-central-1:111122223333:api/v1/GET/runs",
    };
    const ada = iam.user("ada", [
      { Effect: "Allow", Action: "execute-api:Invoke", Resource: "arn:aws:execute-api:*:*:api/v1/GET/*" },
    ]);
    expect(ada).toMatchObject({ arn: "arn:aws:iam::111122223333:user/ada", name: "ada" });
    expect(iam.authorise(ada, [invoke])).toBeUndefined();
    expect(iam.authorise(ada, [{ ...invoke, resource: invoke.resource.replace("GET", "POST") }])).toMatchObject({
      principal: "ada",
    });
    expect(iam.authorise(iam.user("eve", []), [invoke])).toBeDefined();
    expect(() => iam.authorise({ ...ada, arn: "arn:aws:iam::1:user/root" }, [])).toThrow(
      "IAM does not know arn:aws:iam::1:user/root",
    );
    expect(() => createIam(deployed).authorise(ada, [])).toThrow("IAM does not know");
    expect(() =>
      iam.user("bob", [
        { Effect: "Allow", Action: "*", Resource: "*", Condition: { IpAddress: { "aws:SourceIp": "::1" } } },
      ]),
    ).toThrow("Statement 0 of bob: The condition operator IpAddress is not played");
  });

  it("can be asked by a service in a resource's name, as the function's permission says", () => {
    const [sweep, api] = ["SweeperSweep", "ApiFunction"].map((begins) => ({
      action: "lambda:InvokeFunction",
      resource: arnOf("AWS::Lambda::Function", begins),
    }));
    if (!sweep || !api) throw new Error("nothing to ask");
    const rule = arnOf("AWS::Events::Rule");
    expect(iam.admit("events.amazonaws.com", rule, sweep)).toBeUndefined();
    expect(iam.ledger.uses).toMatchObject([
      { principal: expect.stringMatching(/^SweeperScheduleAllowEventRule/), action: "lambda:InvokeFunction" },
    ]);
    expect(iam.admit("events.amazonaws.com", `${rule}-other`, sweep)?.message).toBe(
      `User: events.amazonaws.com is not authorized to perform: lambda:InvokeFunction on resource: ${sweep.resource} because no resource-based policy allows the lambda:InvokeFunction action`,
    );
    expect(iam.admit("events.amazonaws.com", rule, api)).toBeDefined();
    const { ref } = resourceIn(deployed, "AWS::ApiGateway::RestApi");
    const method = (path: string) => `arn:aws:execute-api:eu-central-1:111122223333:${ref}/${path}`;
    expect(iam.admit("apigateway.amazonaws.com", method("v1/POST/runs"), api)).toBeUndefined();
    expect(iam.admit("apigateway.amazonaws.com", method("v1/GET/"), api)).toBeUndefined();
    expect(iam.admit("apigateway.amazonaws.com", method("v2/POST/runs"), api)).toBeDefined();
    const send = { action: "sqs:SendMessage", resource: arnOf("AWS::SQS::Queue") };
    expect(iam.admit("events.amazonaws.com", rule, send)).toBeUndefined();
    expect(iam.admit("sns.amazonaws.com", rule, send)).toBeDefined();
  });
});

describe("the allowances", () => {
  it("are those of the functions' roles and of the state machine's, each action for itself", () => {
    const allowances = allowancesOf(deployed);
    const owners = new Set(allowances.map(({ principal }) => principal.slice(0, -8)));
    expect([...owners].toSorted()).toEqual(
      [
        ...["ApiFunctionRole", "ControlUnitDeliverRole", "ControlUnitExecuteRole", "ControlUnitPlanRole"],
        ...["ControlUnitRecordFailureRole", "ControlUnitRole", "EvaluatorRole", "NotifierNotifyRole"],
        "SweeperSweepRole",
      ].toSorted(),
    );
    expect(allowances).toContainEqual({
      principal: role("SweeperSweepRole").logicalId,
      statement: 1,
      action: "dynamodb:UpdateItem",
      resources: [table()],
    });
    expect(
      new Set(allowances.map(({ principal, statement, action }) => `${principal} ${statement} ${action}`)).size,
    ).toBe(allowances.length);
  });

  it("are unused until they are used", () => {
    const allowances = allowancesOf(deployed);
    expect(unusedOf(allowances, [])).toEqual(allowances);
    iam.authorise(as("SweeperSweepRole"), [{ action: "dynamodb:UpdateItem", resource: table() }]);
    const left = unusedOf(allowances, iam.ledger.uses);
    expect(left).toHaveLength(allowances.length - 1);
    expect(left).not.toContainEqual(expect.objectContaining(iam.ledger.uses[0]));
  });

  it("let the notifier put its own events on the default bus, and no others, and on no other", () => {
    const bus = "arn:aws:events:eu-central-1:111122223333:event-bus/default";
    const put = (resource: string, source: string, type: string) =>
      iam.authorise(as("NotifierNotifyRole"), [
        {
          ...{ action: "events:PutEvents", resource },
          context: { "events:source": source, "events:detail-type": type },
        },
      ]);
    expect(put(bus, "l2mac", "Run Completed")).toBeUndefined();
    expect(put(bus, "aws.ec2", "Run Completed")).toMatchObject({ action: "events:PutEvents" });
    expect(put(bus, "l2mac", "Order Placed")).toMatchObject({ action: "events:PutEvents" });
    expect(put(bus.replace("default", "orders"), "l2mac", "Run Completed")).toMatchObject({
      action: "events:PutEvents",
    });
  });

  it("each mean something: what is removed is denied, and nothing else is", () => {
    for (const allowance of allowancesOf(deployed)) {
      const service = /^ControlUnitRole[0-9A-F]{8}$/.test(allowance.principal) ? "states.amazonaws.com" : LAMBDA;
      const { arn = "" } = deployed.resources[allowance.principal] as DeployedResource;
      const who = iam.assume(arn, service);
      const resource = allowance.resources[0]?.replaceAll("*", "x") ?? "";
      // What a condition of the template asks for.
      const context = { "s3:prefix": "runs/x", "events:source": "l2mac", "events:detail-type": "Run Failed" };
      const ask = { action: allowance.action, resource, context };
      expect(iam.authorise(who, [ask])).toBeUndefined();
      iam.remove(allowance);
      expect(iam.authorise(who, [ask])).toMatchObject({ action: allowance.action });
      iam.remove();
      expect(iam.authorise(who, [ask])).toBeUndefined();
    }
  });
});

describe("a policy that is not known is refused by name", () => {
  const changed = (logicalId: string, properties: Record<string, unknown>): Deployment => {
    const resource = deployed.resources[logicalId] as DeployedResource;
    return {
      ...deployed,
      resources: {
        ...deployed.resources,
        [logicalId]: { ...resource, properties: { ...resource.properties, ...properties } },
      },
    };
  };
  const idOf = (type: string) => resourceIn(deployed, type).logicalId;

  it("a permission with more conditions, and one for an unknown function", () => {
    const id = idOf("AWS::Lambda::Permission");
    expect(() => resourceStatements(changed(id, { PrincipalOrgID: "o-1" }))).toThrow(
      `The permission ${id} is not played: PrincipalOrgID`,
    );
    expect(() => createIam(changed(id, { FunctionName: "other" }))).toThrow(
      `The permission ${id} is for a function that is not there: other`,
    );
  });

  it("a bucket policy for all but somebody, and one with another member", () => {
    const id = idOf("AWS::S3::BucketPolicy");
    const policy = (statement: Record<string, unknown>) => ({
      PolicyDocument: { Statement: [{ Effect: "Deny", Action: "s3:*", Resource: "*", ...statement }] },
    });
    expect(() => createIam(changed(id, policy({ NotPrincipal: "*" })))).toThrow(`NotPrincipal is not played (${id})`);
    expect(() => createIam(changed(id, policy({ Principal: "*", When: "x" })))).toThrow(
      `A statement of ${id} has the member When`,
    );
    expect(() => createIam(changed(id, policy({ Principal: { Federated: "x" } })))).toThrow(
      `The principal of a policy of ${id} is not played`,
    );
    expect(() =>
      createIam(changed(id, policy({ Principal: "*", Condition: { Bool: { "aws:ViaAWSService": "x" } } }))),
    ).toThrow("aws:ViaAWSService");
  });

  it("a trust policy with a condition", () => {
    const { logicalId, arn = "" } = role("SweeperSweepRole");
    const statement = { Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: LAMBDA }, Condition: {} };
    const other = createIam(changed(logicalId, { AssumeRolePolicyDocument: { Statement: [statement] } }));
    expect(() => other.assume(arn, LAMBDA)).toThrow(`The trust policy of ${logicalId} is not played`);
  });

  it("a role that two functions share, since the calling function would be unknown", () => {
    const sweep = resourceIn(deployed, "AWS::Lambda::Function", "SweeperSweep").logicalId;
    const { arn = "" } = role("ApiFunctionRole");
    expect(() => createIam(changed(sweep, { Role: arn })).assume(arn, LAMBDA)).toThrow(
      "is not the role of exactly one function",
    );
  });

  it("the statements of a role are counted in the order in which they stand", () => {
    const statements = roleStatements(deployed, role("EvaluatorRole"));
    expect(statements.map(({ index, Effect }) => `${index} ${Effect}`)).toEqual(["0 Allow", "1 Allow", "2 Deny"]);
  });
});
