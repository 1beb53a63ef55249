/** The regions of docs/deploy.md: the stack is resolved for each as CloudFormation would, and names no other partition. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { bedrockModelIn } from "../../lib/model/default-model.ts";
import { resolve } from "../../packages/aws-rehearsal/cloudformation/intrinsics.ts";
import { synthesise } from "./synthesised.ts";

const page = readFileSync(new URL("../../docs/deploy.md", import.meta.url), "utf8");
const [, table = ""] = /<!-- regions: begin -->([\s\S]*)<!-- regions: end -->/.exec(page) ?? [];
const rows = [...table.matchAll(/^\| `(aws[a-z-]*)` \| `([a-z0-9-]+)` \| `?([^`|]+?)`? \|/gm)].map(
  ([, partition = "", region = "", model = ""]) => ({ partition, region, model }),
);

/** In the definition of the state machine, which CloudFormation fills in. */
const PLACEHOLDER = "$" + "{Partition}";

const suffixOf = (partition: string): string => (partition === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com");

/** With the values that CloudFormation has in the region. */
function resolvedIn(template: unknown, { partition, region }: { partition: string; region: string }): string {
  const pseudo: Record<string, string> = {
    ...{ "AWS::Partition": partition, "AWS::Region": region, "AWS::AccountId": "111122223333" },
    ...{ "AWS::URLSuffix": suffixOf(partition), "AWS::StackName": "L2mac" },
  };
  return JSON.stringify(
    resolve(template, {
      ref: (name) => pseudo[name] ?? name,
      // Of a repository, CDK takes account and region from its ARN.
      getAtt: (id, attribute) =>
        attribute === "Arn" ? `arn:${partition}:any:${region}:111122223333:${id}` : `${id}.${attribute}`,
      availabilityZones: (of) => [`${of}a`, `${of}b`],
      condition: () => true,
    }),
  );
}

let parts: { resources: unknown; outputs: unknown };
beforeAll(() => {
  const webhook = { url: "https://hooks.example.org/" };
  const evaluator = { build: "codebuild" };
  const { template } = synthesise({ alarmMail: "somebody@example.org", webhook, evaluator, signing: { kms: true } });
  const { Resources, Outputs } = template.toJSON();
  parts = { resources: Resources, outputs: Outputs };
});

it("samples of every partition are on the page", () => {
  expect([...new Set(rows.map(({ partition }) => partition))]).toEqual(["aws", "aws-us-gov", "aws-cn"]);
});

describe.each(rows)("a stack in $partition, $region", ({ partition, region, model }) => {
  it("has ARNs and addresses of its own partition only", () => {
    const text = resolvedIn(parts, { partition, region }).replaceAll(PLACEHOLDER, partition);
    expect([...new Set([...text.matchAll(/\barn:([^:"]*):/g)].map(([, named]) => named))]).toEqual([partition]);
    const addresses = [...text.matchAll(/(?:execute-api|dkr\.ecr)\.[a-z0-9-]+\.(amazonaws\.com(?:\.cn)?)/g)];
    expect([...new Set(addresses.map(([, suffix]) => suffix))]).toEqual([suffixOf(partition)]);
    expect(text).toContain(`"Partition":"${partition}"`);
  });

  it("has the default model that the page names", () => {
    expect(bedrockModelIn(region) ?? "none").toBe(model);
  });
});
