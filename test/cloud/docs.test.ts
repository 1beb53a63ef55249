/** What the documents say of the stack is what the stack is. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
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

it("docs/aws.md leaves the configuration to the one table that docs/deploy.md has", () => {
  const [, section = ""] = page("aws.md").split("## What can be chosen");
  const [chosen = ""] = section.split("\n## ");
  expect(chosen).toContain("(deploy.md#the-configuration)");
  expect(chosen).not.toMatch(/^\|/m);
  expect(page("deploy.md")).toContain("\n## The configuration\n");
});
