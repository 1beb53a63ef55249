/** A deployment that stopped half way: what exists, what it costs, and how to go on or undo, by every command. */
import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aBench } from "../doubles/command.ts";
import { aDeploymentBench, type DeploymentBench, IMAGE } from "./bench.ts";
import {
  type ScriptedCloudFormation,
  type ScriptedResource,
  type ScriptedStack,
  startCloudFormation,
} from "./scripted-cloudformation.ts";

const of = (type: string, status: string, more: Partial<ScriptedResource> = {}): ScriptedResource => ({
  ...{ type, status },
  ...more,
});
const alarm = { Namespace: "AWS/States", MetricName: "ExecutionsFailed" };

/** As far as a first deployment came: a secret ($0.40), two alarms ($0.20), a table, and a function that failed. */
const HALF: ScriptedStack["resources"] = {
  Registry: of("AWS::DynamoDB::Table", "CREATE_COMPLETE", { kept: true }),
  Key: of("AWS::SecretsManager::Secret", "CREATE_COMPLETE"),
  Failed: of("AWS::CloudWatch::Alarm", "CREATE_COMPLETE", { properties: alarm }),
  Errors: of("AWS::CloudWatch::Alarm", "CREATE_COMPLETE", { properties: alarm }),
  Evaluator: of("AWS::Lambda::Function", "CREATE_FAILED", { unnamed: true }),
  Group: of("AWS::EC2::SecurityGroup", "DELETE_COMPLETE"),
};

const REMOVED = Object.fromEntries(
  Object.entries(HALF).map(([id, each]) => [id, { ...each, status: each.kept ? "DELETE_SKIPPED" : "DELETE_COMPLETE" }]),
);

let cloud: ScriptedCloudFormation;
let bench: DeploymentBench;
beforeAll(async () => {
  cloud = await startCloudFormation("L2mac");
});
afterAll(() => cloud?.close());
beforeEach(() => {
  bench = aDeploymentBench(cloud.env);
  bench.write("outputs.json", "{}");
});
afterEach(() => bench.remove());

const deploy = () => bench.run(["deploy", "--evaluator-image", IMAGE, "--yes"]);

describe("deploying onto a stack that is half there", () => {
  it.each([
    ["CREATE_FAILED", "To go on: l2mac destroy, then l2mac deploy", HALF],
    ["ROLLBACK_FAILED", "To go on: l2mac destroy, then l2mac deploy", HALF],
    ["DELETE_FAILED", "To go on: l2mac destroy", HALF],
    [
      "UPDATE_ROLLBACK_FAILED",
      "aws cloudformation continue-update-rollback --stack-name L2mac --region eu-west-1 (add --resources-to-skip Evaluator",
      { ...HALF, Evaluator: of("AWS::Lambda::Function", "UPDATE_FAILED") },
    ],
  ])(
    "%s: begins nothing that must fail, and says what exists, its price and the way out",
    async (status, way, resources) => {
      cloud.set({ status, reason: "Quota <exceeded> & more", resources });
      const { code, said } = await deploy();
      expect(said).toContain(`L2mac is ${status}:`);
      expect(said).toContain("Quota <exceeded> & more");
      expect(said).toMatch(/[45] of 6 resources exist\. Idle/);
      expect(said).toContain("about $0.60 a month: 1 secret $0.40, 2 alarms on 2 metrics $0.20.");
      expect(said).toContain(way);
      expect(said).toContain("To undo: l2mac destroy");
      expect(said).toContain("It cannot be deployed yet: stack.");
      expect([code, bench.calls()]).toEqual([3, []]);
    },
  );

  it.each([
    ["ROLLBACK_COMPLETE", "l2mac deploy replaces it", REMOVED],
    ["UPDATE_IN_PROGRESS", "l2mac deploy waits for it, and continues", HALF],
  ])("%s: says so, and goes on", async (status, way, resources) => {
    cloud.set({ status, resources });
    const { said } = await deploy();
    expect(said).toContain(way);
    expect(bench.calls().map(({ argv }) => argv[0])).toEqual(["deploy"]);
  });

  it("says nothing of a stack that is whole, or that does not exist", async () => {
    cloud.set({ status: "UPDATE_COMPLETE", resources: HALF });
    const whole = await deploy();
    cloud.set(undefined);
    const none = await deploy();
    for (const { said } of [whole, none]) expect(said).not.toMatch(/To go on|To undo/);
  });
});

describe("a deployment that fails", () => {
  beforeEach(() => {
    cloud.set(undefined);
    bench.write("deploy.fails", "");
  });

  it("and was rolled back leaves what is retained, which costs nothing, and destroy says how to remove it", async () => {
    cloud.set({ status: "ROLLBACK_COMPLETE", resources: REMOVED });
    const { said } = await deploy();
    expect(said).toContain("1 of 6 resources exist. Idle they cost nothing");
    expect(said).toContain("To undo: l2mac destroy, which names what is retained, and how to remove that");
    const undone = await bench.run(["destroy", "--yes"]);
    expect(undone.said).toContain("aws dynamodb delete-table --table-name L2mac-Registry");
  });
});

describe.skipIf(!existsSync("/usr/bin/script"))("Ctrl-C while CloudFormation works", () => {
  it("says what exists by now, and that it goes on", async () => {
    cloud.set({ status: "CREATE_IN_PROGRESS", resources: HALF });
    bench.write("deploy.txt", "L2mac: deploying... [1/1]\n");
    bench.write("deploy.waits", "");
    const { code, out } = await bench.onTerminal(
      ["deploy", "--evaluator-image", IMAGE, "--yes"],
      [["deploying...", "\u0003"]],
    );
    const after = out.slice(out.indexOf("deploying..."));
    expect(after).toContain(
      "L2mac is CREATE_IN_PROGRESS: CloudFormation is at work, and continues without this command.",
    );
    expect(after).toContain("4 of 6 resources exist");
    expect(after).toContain("about $0.60 a month");
    expect(code).toBe(130);
  });
});

describe("the other commands about a stack that is half there", () => {
  it("destroy says what exists before it deletes that, and counts nothing that is gone", async () => {
    cloud.set({ status: "UPDATE_ROLLBACK_FAILED", resources: HALF });
    const { said } = await bench.run(["destroy", "--yes"]);
    expect(said).toContain("L2mac is UPDATE_ROLLBACK_FAILED: an update failed, and so did the way back");
    expect(said).toContain("3 of 4 resources are deleted");
    expect(bench.calls().map(({ argv }) => argv[0])).toEqual(["destroy"]);
  });

  it("doctor --remote says it too, with the switch that CloudFormation's reason calls for", async () => {
    cloud.set({ status: "ROLLBACK_COMPLETE", reason: "TenancyConfig is not supported", resources: REMOVED });
    const command = aBench({ ...cloud.env, AWS_EC2_METADATA_DISABLED: "true" });
    const { stdout, code } = await command.run(["doctor", "--remote", "--no-run"]);
    command.remove();
    expect(stdout).toMatch(/✘ stack {6}L2mac is ROLLBACK_COMPLETE: its creation failed/);
    expect(stdout).toContain("1 of 6 resources exist.");
    expect(stdout).toContain('"evaluator": { "tenants": false }');
    expect(code).toBe(3);
  });
});
