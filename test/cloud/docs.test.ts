/** What the documents say of the stack is what the stack is. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CloudConfig } from "../../lib/cloud/config.ts";
import { synthesise } from "./synthesised.ts";

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

it("docs/aws.md lists every type of resource that is created, and how many", () => {
  const listed = [...page("aws.md").matchAll(/^\| `(AWS::[\w:]+)` \| (\d+) \|/gm)].map(([, type = "", many]) => [
    type,
    Number(many),
  ]);
  const made = Map.groupBy(Object.values(synthesise().resources), ({ Type }) => Type);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries([...made].map(([type, { length }]) => [type, length])));
});

it("docs/aws.md names everything that can be chosen, with its default", () => {
  const [, section = ""] = page("aws.md").split("## What can be chosen");
  const [table = ""] = section.split("\n## ");
  for (const [name, value] of Object.entries(CloudConfig.parse({}))) {
    expect(table).toContain(`\`${name}\``);
    if (typeof value !== "object") expect(table).toContain(`| \`${value}\` |`);
  }
  const absent = Object.keys(CloudConfig.shape).filter((name) => !table.includes(`\`${name}\``));
  expect(absent).toEqual([]);
  for (const name of Object.keys(CloudConfig.shape.evaluator.unwrap().shape)) expect(table).toContain(`\`${name}\``);
});
