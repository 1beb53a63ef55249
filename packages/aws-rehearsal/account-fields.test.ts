/** A stack with a network, a key, a boundary and endpoints of the account: deployed here, and its policies asked. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { deployQuickly, resourceIn } from "./cloudformation/quick-deployment.ts";
import { declaredGateway } from "./gateway/gateway-declaration.ts";
import { evaluate } from "./iam/evaluate-policy.ts";
import { createIam } from "./iam/iam.ts";
import type { Deployment } from "./parts.ts";

const fields = JSON.parse(readFileSync(new URL("../../test/cloud/account-fields.json", import.meta.url), "utf8"));

let deployed: Deployment;
beforeAll(() => {
  deployed = deployQuickly(fields);
});

describe("the functions", () => {
  it("use the key through the services that store for them, and through no other", () => {
    const iam = createIam(deployed);
    const { arn = "" } = resourceIn(deployed, "AWS::IAM::Role", "ControlUnitExecuteRole");
    const who = iam.assume(arn, "lambda.amazonaws.com");
    const asked = (action: string, through?: string) =>
      iam.authorise(who, [
        {
          ...{ action, resource: fields.kmsKeyArn },
          context: through === undefined ? {} : { "kms:viaservice": `${through}.eu-central-1.amazonaws.com` },
        },
      ]);
    for (const service of ["dynamodb", "s3", "secretsmanager"])
      for (const action of ["kms:Decrypt", "kms:GenerateDataKey"]) expect(asked(action, service)).toBeUndefined();
    for (const denied of [asked("kms:Decrypt"), asked("kms:Decrypt", "ec2"), asked("kms:PutKeyPolicy", "s3")])
      expect(denied).toMatchObject({ resource: fields.kmsKeyArn });
  });
});

describe("the private API", () => {
  interface Policy {
    Statement: { Effect: "Allow" | "Deny"; Action: string; Resource: string; Principal: { AWS: string } }[];
  }

  /** Of a caller of the account. */
  function decisionFor(context: Record<string, string>): string {
    const { Statement } = resourceIn(deployed, "AWS::ApiGateway::RestApi").properties.Policy as Policy;
    const statements = Statement.map((each, index) => ({ ...each, owner: "Api", index }));
    return evaluate(statements, { action: "execute-api:Invoke", resource: "execute-api:/v1/GET/runs" }, context).effect;
  }

  it("lets callers in through its endpoints alone", () => {
    const [one, other] = fields.api.private.vpcEndpointIds;
    expect([decisionFor({ "aws:sourcevpce": one }), decisionFor({ "aws:sourcevpce": other })]).toEqual([
      "Allow",
      "Allow",
    ]);
    expect([decisionFor({ "aws:sourcevpce": "vpce-01234567" }), decisionFor({})]).toEqual(["Deny", "Deny"]);
  });

  it("allows the account and no one beyond: its callers need a permission of their own", () => {
    const { Statement } = resourceIn(deployed, "AWS::ApiGateway::RestApi").properties.Policy as Policy;
    const allowed = Statement.filter(({ Effect }) => Effect === "Allow").map(({ Principal }) => Principal.AWS);
    expect(allowed).toEqual([`arn:aws:iam::${deployed.account}:root`]);
    for (const { authorization } of declaredGateway(deployed).routes) expect(authorization).toBe("AWS_IAM");
  });

  it("has the name at its endpoint as address", () => {
    const { ref } = resourceIn(deployed, "AWS::ApiGateway::RestApi");
    const [endpoint] = fields.api.private.vpcEndpointIds;
    expect(deployed.outputs.ApiUrl).toBe(`https://${ref}-${endpoint}.execute-api.eu-central-1.amazonaws.com/v1/`);
  });
});

it("the evaluator is in the network of the account", () => {
  const { properties } = resourceIn(deployed, "AWS::Lambda::Function", "EvaluatorFunction");
  expect(properties.VpcConfig).toMatchObject({ SubnetIds: fields.evaluator.subnetIds });
});
