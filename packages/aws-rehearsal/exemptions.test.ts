/** Every permission of a role is needed by an act, or exempt with a reason. */
import { beforeAll, describe, expect, it } from "vitest";
import { deployQuickly } from "./cloudformation/quick-deployment.ts";
import { EXEMPTIONS, exemptionOf, roleName } from "./exemptions.ts";
import { type Allowance, allowancesOf } from "./iam/allowances.ts";
import { roleStatements } from "./iam/policies.ts";
import type { Deployment } from "./parts.ts";

let deployed: Deployment;
let allowances: Allowance[];
beforeAll(() => {
  deployed = deployQuickly();
  allowances = allowancesOf(deployed);
});

const roles = () => Object.values(deployed.resources).filter(({ type }) => type === "AWS::IAM::Role");

describe("an exemption", () => {
  it("lists actions of the template, one by one, on exactly these resources", () => {
    for (const { roles: whose, actions, resources } of EXEMPTIONS) {
      const owners = new Set(allowances.map(({ principal }) => principal).filter((name) => whose.test(roleName(name))));
      expect(owners.size).toBeGreaterThan(0);
      for (const owner of owners)
        for (const action of actions)
          expect(allowances.find((each) => each.principal === owner && each.action === action)?.resources).toEqual(
            resources,
          );
    }
  });

  it("has a reason, and none is for what functions ask for themselves", () => {
    for (const { reason, actions } of EXEMPTIONS) {
      expect(reason).toMatch(/\.$/);
      for (const action of actions) expect(action).toMatch(/^(ec2|xray|logs):/);
    }
    for (const { action, ...each } of allowances.filter((allowance) => allowance.resources.includes("*")))
      expect(exemptionOf({ ...each, action }), action).toBeDefined();
  });
});

describe("statements that no call can show", () => {
  it("deny code in the evaluator everything but its log", () => {
    const own = roles().filter(({ properties }) => properties.ManagedPolicyArns === undefined);
    const denials = own.flatMap((role) => roleStatements(deployed, role).filter(({ Effect }) => Effect === "Deny"));
    expect(denials).toMatchObject([
      {
        owner: expect.stringMatching(/^EvaluatorRole/),
        NotAction: ["logs:CreateLogStream", "logs:PutLogEvents"],
        Resource: "*",
        Condition: {
          ArnLike: { "lambda:SourceFunctionArn": expect.stringMatching(/^arn:aws:lambda:.*:function:\*$/) },
        },
      },
    ]);
  });

  it("let the network's log be written, and API Gateway write its own, by roles that only they take", () => {
    const others = roles().filter(({ logicalId }) => !allowances.some(({ principal }) => principal === logicalId));
    expect(others.map(({ logicalId }) => roleName(logicalId)).toSorted()).toEqual([
      "ApiRestCloudWatch",
      "EvaluatorNetworkRejectedIAM",
    ]);
    const [gateway, network] = others.toSorted((one, other) => one.logicalId.localeCompare(other.logicalId));
    expect(gateway?.properties.ManagedPolicyArns).toEqual([
      "arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs",
    ]);
    const [write, ...more] = network ? roleStatements(deployed, network) : [];
    expect(more).toEqual([]);
    expect(write?.Action).toEqual(["logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"]);
    expect(write?.Resource).toMatch(/:log-group:L2mac-EvaluatorRejectedLog/);
  });
});
