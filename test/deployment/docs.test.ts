/** docs/deploy.md agrees with the configuration schema, the flags, the remedies and the printed next steps. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { deployFlags } from "../../lib/cli/deploy/deployment-flags.ts";
import { nextSteps } from "../../lib/cli/deploy/next-steps.ts";
import { CloudConfig, readCloudConfig } from "../../lib/cloud/config.ts";
import { REMEDIES } from "../../lib/deployment/error-remedies.ts";
import { synthesise } from "../cloud/synthesised.ts";

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

it("lists every field of l2mac.cloud.json with its default", () => {
  const [, table = ""] = /<!-- fields: begin -->([\s\S]*)<!-- fields: end -->/.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| `([\w.]+)` \| (\S+) \|/gm)].map(([, field, value]) => [field, value]);
  const schema = z.toJSONSchema(CloudConfig, { io: "input", unrepresentable: "any" }) as Schema;
  const expected = fieldsOf(schema).map((field) => {
    const value = defaultOf(field);
    return [field, value === undefined ? "—" : `\`${JSON.stringify(value)}\``];
  });
  expect(rows).toEqual(expected);
});

it("lists every switch of a remedy under troubleshooting", () => {
  const [, troubles = ""] = /## Troubleshooting by switch([\s\S]*)/.exec(text) ?? [];
  const fields = REMEDIES.flatMap(([, remedy]) => [...remedy.matchAll(/"([a-z]+[A-Za-z]*)"(?=: |[^:]*$)/g)]);
  expect(fields.length).toBeGreaterThan(8);
  for (const [, field = ""] of fields) expect(troubles).toContain(field);
});

it("explains every flag of deploy", () => {
  for (const { name } of deployFlags) expect(text).toContain(name);
});

const actionsOf = (name: string): string[] => {
  const [, policy = "{}"] = new RegExp(`<!-- policy: ${name} -->\\s*\`\`\`json\\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  const { Statement } = JSON.parse(policy) as { Statement: { Action: string[] | string }[] };
  return Statement.flatMap(({ Action }) => Action);
};

it("names each service that must use a key of one's own, and limits EventBridge by no source: its calls into an encrypted queue carry none", () => {
  const [, statements = "[]"] = /<!-- policy: key -->\s*```json\n([\s\S]*?)```/.exec(text) ?? [];
  expect(JSON.parse(statements)).toMatchObject([
    { Principal: { Service: "logs.REGION.amazonaws.com" }, Condition: { ArnLike: expect.anything() } },
    {
      Principal: { Service: "cloudwatch.amazonaws.com" },
      Condition: { StringEquals: { "aws:SourceAccount": "ACCOUNT" } },
    },
    expect.not.objectContaining({ Condition: expect.anything() }),
  ]);
  expect(JSON.parse(statements)[2].Principal).toEqual({ Service: "events.amazonaws.com" });
});

it("contains a policy with every action that the commands need", () => {
  expect(actionsOf("key user")).toEqual(["kms:Decrypt", "kms:GenerateDataKey"]);
  expect(actionsOf("network")).toEqual(["ec2:DescribeRouteTables", "ec2:DescribeSubnets"]);
  expect(actionsOf("deploy").toSorted()).toEqual([
    "bedrock:GetFoundationModelAvailability",
    ...["cloudformation:DescribeStacks", "cloudformation:GetTemplate", "cloudformation:ListStackResources"],
    ...["execute-api:Invoke", "lambda:GetAccountSettings", "lambda:GetFunction", "s3:ListBucket"],
    ...["secretsmanager:DescribeSecret", "secretsmanager:GetSecretValue", "secretsmanager:PutSecretValue"],
    "sts:AssumeRole",
  ]);
});

/** `aws SERVICE do-what` as the action that it needs. */
const SERVICES: Record<string, string> = { stepfunctions: "states", "service-quotas": "servicequotas" };
const actionIn = (service: string, command: string): string =>
  `${SERVICES[service] ?? service}:${command.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

it("allows the commands to type by hand with the policy for them or the one to deploy", () => {
  const typed = ["checklist.md", "aws.md", "events.md"].flatMap((name) => [
    ...readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8").matchAll(
      /\baws ([a-z0-9-]+) ([a-z]+(?:-[a-z]+)+)/g,
    ),
  ]);
  const needed = new Set(typed.map(([, service = "", command = ""]) => actionIn(service, command)));
  // Needs no permission.
  needed.delete("sts:GetCallerIdentity");
  const byHand = actionsOf("by hand");
  const allowed = new Set([...byHand, ...actionsOf("deploy")]);
  expect([...needed].filter((action) => !allowed.has(action))).toEqual([]);
  expect(byHand.filter((action) => !needed.has(action))).toEqual([]);
});

it("lets those who build elsewhere create the repository, sign in to it and push", () => {
  expect(actionsOf("push")).toEqual(
    expect.arrayContaining(["ecr:CreateRepository", "ecr:GetAuthorizationToken", "ecr:PutImage"]),
  );
});

it("shows the output of a successful deployment as the command prints it", () => {
  const outputs = { ApiUrl: "https://abc.execute-api.eu-west-1.amazonaws.com/v1/" };
  const options = { config: readCloudConfig([]), target: {} };
  const { resources } = synthesise();
  for (const line of nextSteps({ outputs, options, isKeySet: true, resources }).split("\n"))
    expect(text).toContain(`\n${line}\n`);
});
