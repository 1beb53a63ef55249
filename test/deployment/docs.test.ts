/** What docs/deploy.md says of the configuration is what the schema says, and what it says of switches is what remedies say. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { deployFlags } from "../../lib/cli/deployment-flags.ts";
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

it("the policy is JSON, and everything that the commands ask AWS for is in it", () => {
  const [, policy = "{}"] = /<!-- policy: deploy -->\s*```json\n([\s\S]*?)```/.exec(text) ?? [];
  const { Statement } = JSON.parse(policy) as { Statement: { Action: string | string[] }[] };
  expect(Statement.flatMap(({ Action }) => Action).toSorted()).toEqual([
    ...["cloudformation:DescribeStacks", "cloudformation:GetTemplate", "cloudformation:ListStackResources"],
    ...["execute-api:Invoke", "lambda:GetAccountSettings", "lambda:GetFunction", "s3:ListBucket"],
    ...["secretsmanager:DescribeSecret", "secretsmanager:PutSecretValue", "sts:AssumeRole"],
  ]);
});
