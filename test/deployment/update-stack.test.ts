/** What an update of a deployed release would do, judged by `cdk diff`: it replaces nothing that runs or users hold on to. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PINNED_NODE } from "./bench.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const releases = new URL("releases/", import.meta.url);
const SUFFIX = ".template.json.gz";
/** Runs and their files, the model's key, the address of the API, executions in flight. */
const HELD =
  /AWS::(DynamoDB::Table|S3::Bucket|SecretsManager::Secret|ApiGateway::RestApi|StepFunctions::StateMachine) /;

interface Template {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "update-stack-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The resources of the present stack that an update of the template would replace or delete, as `cdk diff` words them. */
function lostBy(template: Template): string[] {
  const file = join(folder, "deployed.json");
  writeFileSync(file, JSON.stringify(template));
  const cdk = join(project, "node_modules/aws-cdk/bin/cdk");
  const diff = ["diff", "L2mac", "--template", file, "--output", join(folder, "synthesised"), "--no-color"];
  const { status, stderr, stdout } = spawnSync(PINNED_NODE, [cdk, ...diff], { cwd: project, encoding: "utf8" });
  expect({ status, text: stdout + stderr }).toMatchObject({
    status: 0,
    text: expect.stringContaining("Number of stacks with differences"),
  });
  return `${stdout}${stderr}`
    .split("\n")
    .filter((line) => HELD.test(line) && /\b(replaced?|destroy|orphan)\b/.test(line));
}

function releasedTemplate(name: string): Template {
  return JSON.parse(gunzipSync(readFileSync(new URL(name, releases))).toString());
}

describe("an update of a deployed release", () => {
  const names = readdirSync(releases).filter((name) => name.endsWith(SUFFIX));

  it.each(names)("%s replaces and deletes nothing that is held on to", (name) => {
    expect(lostBy(releasedTemplate(name))).toEqual([]);
  });

  it("would be found to replace the registry if its key changed, and to delete a bucket that is gone", () => {
    const template = releasedTemplate(names.at(-1) ?? "");
    const resources = Object.entries(template.Resources);
    const [, table] = resources.find(([, { Type }]) => Type === "AWS::DynamoDB::Table") ?? [];
    const [, bucket] = resources.find(([, { Type }]) => Type === "AWS::S3::Bucket") ?? [];
    if (!table || !bucket) throw new Error("The release has no table or no bucket.");
    table.Properties.KeySchema = [{ AttributeName: "other", KeyType: "HASH" }];
    template.Resources.Former = { ...bucket };
    expect(lostBy(template)).toEqual([
      expect.stringMatching(/AWS::S3::Bucket .*Former (destroy|orphan)/),
      expect.stringMatching(/AWS::DynamoDB::Table .* replace/),
    ]);
  });
});
