/** `l2mac destroy` against an emulated account: what it deletes and keeps is read from the deployed stack, not from the configuration. */
import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { moto, type Running } from "../../packages/aws-rehearsal/emulators/emulators.ts";
import { anAccount } from "./account.ts";
import { aDeploymentBench, type DeploymentBench } from "./bench.ts";

const table = (name: string, DeletionPolicy: string) => ({
  Type: "AWS::DynamoDB::Table",
  DeletionPolicy,
  Properties: {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
  },
});

const stack = (name: string, DeletionPolicy: "Retain" | "Delete") => ({
  Resources: {
    Registry: table(`${name}-registry`, DeletionPolicy),
    Files: {
      Type: "AWS::S3::Bucket",
      DeletionPolicy,
      Properties: { BucketName: `${name}-files` },
    },
    Nowhere: { Type: "AWS::EC2::SecurityGroup", Properties: { GroupDescription: "nothing in, nothing out" } },
  },
  Outputs: { Bucket: { Value: `${name}-files` } },
});

describe.skipIf(!moto.isThere)(`destroying, with ${moto.title}`, () => {
  let running: Running;
  let account: ReturnType<typeof anAccount>;
  let bench: DeploymentBench;

  beforeAll(async () => {
    running = await moto.start();
    account = anAccount(running.endpoint, "eu-west-1");
    await account.createStack("L2mac", stack("kept", "Retain"));
    await account.createStack("Trial", stack("trial", "Delete"));
    for (const key of ["runs/A/task.json", "runs/A/report.json", "runs/B/task.json", "uploads/1"])
      await account.put("kept-files", key);
  });
  afterAll(() => running?.stop());
  beforeEach(() => {
    bench = aDeploymentBench(account.env);
  });
  afterEach(() => bench.remove());

  it("shows the number of runs, what is kept, and how to remove it for good", async () => {
    const { code, said } = await bench.run(["destroy", "--yes"]);
    expect(said).toContain("1 of 3 resources are deleted");
    expect(said).toContain("2 runs: kept, in the table and the bucket.");
    expect(said).toContain("20 to 40 minutes");
    expect(said).toContain("aws dynamodb update-table --table-name kept-registry --no-deletion-protection-enabled");
    expect(said).toContain("aws s3 rb s3://kept-files");
    expect(said).toContain("npx cdk gc aws://123456789012/eu-west-1");
    const [call, ...more] = bench.calls();
    expect(call?.argv.slice(0, 2)).toEqual(["destroy", "L2mac"]);
    expect(call?.argv).toContain("--force");
    expect([code, more]).toEqual([0, []]);
    expect(await account.versionsIn("kept-files")).toBe(4);
  });

  it("warns that runs are lost if they are not kept, and empties their bucket of all versions first", async () => {
    bench.write("l2mac.cloud.json", '{"stackName": "Trial"}');
    await account.keepVersions("trial-files");
    for (const key of ["runs/A/task.json", "runs/A/task.json", "runs/B/x"]) await account.put("trial-files", key);
    await account.put("trial-files", "runs/A/gone");
    await account.remove("trial-files", "runs/A/gone");
    expect(await account.versionsIn("trial-files")).toBe(5);
    const { code, said } = await bench.run(["destroy", "--yes"]);
    expect(said).toContain("2 runs: DELETED, with table and buckets.");
    expect(said).toContain("✔ emptied    trial-files (5 objects and versions)");
    expect(said).not.toContain("aws dynamodb");
    expect([code, await account.versionsIn("trial-files")]).toEqual([0, 0]);
  });

  it("deletes nothing without a terminal to confirm on, and nothing twice", async () => {
    const { code, said } = await bench.run(["destroy"]);
    expect(said).toContain("Nothing was deleted.");
    bench.write("l2mac.cloud.json", '{"stackName": "Absent"}');
    const absent = await bench.run(["destroy", "--yes"]);
    expect(absent.said).toContain("There is no stack Absent");
    expect([code, absent.code, bench.calls()]).toEqual([3, 0, []]);
  });

  it("shows why a deletion fails, and that it can be continued", async () => {
    bench.write("destroy.fails", "");
    bench.write(
      "destroy.txt",
      "L2mac | 9 | 10:02:11 AM | DELETE_FAILED        | AWS::EC2::SecurityGroup | Evaluator/Nowhere (N1) resource sg-1 has a dependent object\n❌  L2mac: destroy failed\n",
    );
    const { code, said } = await bench.run(["destroy", "--yes"]);
    expect(said).toContain("resource sg-1 has a dependent object");
    expect(said).toContain("up to 40 minutes");
    expect(code).toBe(3);
  });

  it.skipIf(!existsSync("/usr/bin/script")).each([
    ["yes", 1, 0],
    ["L2mac", 0, 1],
  ])("on a terminal, ends the answer %j with exit code %i", async (answer, code, calls) => {
    const ended = await bench.onTerminal(["destroy"], [["Type L2mac to delete it:", `${answer}\n`]]);
    expect([ended.code, bench.calls().length]).toEqual([code, calls]);
  });
});
