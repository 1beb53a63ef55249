/** What docs/deploy.md says of the configuration is what the schema says, and what it says of switches is what remedies say. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { nextSteps } from "../../lib/cli/deploy/deploy-next.ts";
import { deployFlags } from "../../lib/cli/deploy/deployment-flags.ts";
import { CloudConfig, readCloudConfig } from "../../lib/cloud/config.ts";
import { REMEDIES } from "../../lib/deployment/remedies.ts";

const text = readFileSync(new URL("../../docs/deploy.md", import.meta.url), "utf8");

interface Schema {
  properties?: Record<string, Schema>;
}

const fieldsOf = ({ properties = {} }: Schema, before = ""): string[] =>
  Object.entries(properties).flatMap(([name, each]) =>
    each.properties ? fieldsOf(each, `${before}${name}.`) : [`${before}${name}`],
  );

function defaultOf(field: string): unknown {
  const start: unknown = readCloudConfig([]);
  return field.split(".").reduce((value, name) => (value as Record<string, unknown>)?.[name], start);
}

it("every field of l2mac.cloud.json stands in the table, with its default", () => {
  const [, table = ""] = /<!-- fields: begin -->([\s\S]*)<!-- fields: end -->/.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| `([\w.]+)` \| (\S+) \|/gm)].map(([, field, value]) => [field, value]);
  const schema = z.toJSONSchema(CloudConfig, { io: "input", unrepresentable: "any" }) as Schema;
  const expected = fieldsOf(schema).map((field) => {
    const value = defaultOf(field);
    return [field, value === undefined ? "—" : `\`${JSON.stringify(value)}\``];
  });
  expect(rows).toEqual(expected);
});

it("every switch that a remedy turns stands under troubleshooting", () => {
  const [, troubles = ""] = /## Troubleshooting by switch([\s\S]*)/.exec(text) ?? [];
  for (const { field } of REMEDIES) if (field) expect(troubles).toContain(field);
});

it("every flag of deploy is explained", () => {
  for (const { name } of deployFlags) expect(text).toContain(name);
});

const actionsOf = (name: string): string[] => {
  const [, policy = "{}"] = new RegExp(`<!-- policy: ${name} -->\\s*\`\`\`json\\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  const { Statement } = JSON.parse(policy) as { Statement: { Action: string[] | string }[] };
  return Statement.flatMap(({ Action }) => Action);
};

it("the policy is JSON, and everything that the commands ask AWS for is in it", () => {
  expect(actionsOf("deploy").toSorted()).toEqual([
    ...["cloudformation:DescribeStacks", "cloudformation:GetTemplate", "cloudformation:ListStackResources"],
    ...["execute-api:Invoke", "lambda:GetAccountSettings", "lambda:GetFunction", "s3:ListBucket"],
    ...["secretsmanager:DescribeSecret", "secretsmanager:PutSecretValue", "sts:AssumeRole"],
  ]);
});

/** `aws SERVICE do-what` as the action that it needs. */
const SERVICES: Record<string, string> = { stepfunctions: "states" };
const actionIn = (service: string, command: string): string =>
  `${SERVICES[service] ?? service}:${command.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

it("the commands to type by hand are allowed by the policy for them, or by the one to deploy", () => {
  const typed = ["checklist.md", "aws.md"].flatMap((name) => [
    ...readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8").matchAll(
      /\baws ([a-z]+) ([a-z]+(?:-[a-z]+)+)/g,
    ),
  ]);
  const needed = new Set(typed.map(([, service = "", command = ""]) => actionIn(service, command)));
  // Whoever has credentials may ask whose they are.
  needed.delete("sts:GetCallerIdentity");
  const byHand = actionsOf("by hand");
  const allowed = new Set([...byHand, ...actionsOf("deploy")]);
  expect([...needed].filter((action) => !allowed.has(action))).toEqual([]);
  expect(byHand.filter((action) => !needed.has(action))).toEqual([]);
});

it("who builds without Docker may make the repository, sign in to it and push", () => {
  expect(actionsOf("push")).toEqual(
    expect.arrayContaining(["ecr:CreateRepository", "ecr:GetAuthorizationToken", "ecr:PutImage"]),
  );
});

it("what stands at the end of a deployment that went well is what the command says", () => {
  const outputs = { ApiUrl: "https://abc.execute-api.eu-west-1.amazonaws.com/v1/" };
  const asked = { config: readCloudConfig([]), place: {} };
  const types = new Map(Object.entries(PRICED));
  for (const line of nextSteps({ outputs, asked, key: "set", types }).split("\n"))
    expect(text).toContain(`\n${line}\n`);
});

const PRICED = { "AWS::SecretsManager::Secret": 1, "AWS::CloudWatch::Alarm": 8 };
