import { expect, it } from "vitest";
import { errorIn, readCdkLine } from "./cdk-lines.ts";

const complete =
  "L2mac |  3/97 | 10:02:11 AM | CREATE_COMPLETE      | AWS::S3::Bucket | Storage/Files (StorageFiles1A)";
const failed =
  'L2mac |  4/97 | 10:02:12 AM | CREATE_FAILED        | AWS::EC2::VPC | Evaluator/Network (N1) Resource handler returned message: "no"';
const cancelled =
  "L2mac |  4/97 | 10:02:13 AM | CREATE_FAILED        | AWS::SQS::Queue | Sweeper/Missed (M1) Resource creation cancelled";

it("a line of progress says how far, of how many, and what", () => {
  expect(readCdkLine(complete)).toEqual({
    ...{ kind: "progress", done: 3, of: 97, status: "CREATE_COMPLETE" },
    ...{ type: "AWS::S3::Bucket", name: "Storage/Files" },
  });
});

it("a deletion says no whole number", () => {
  expect(readCdkLine("L2mac | 12 | 10:02:11 AM | DELETE_COMPLETE | AWS::IAM::Role | Api/FunctionRole")).toMatchObject({
    done: 12,
    of: 0,
  });
});

it("what failed is told apart from what was cancelled because of it", () => {
  expect(readCdkLine(failed).kind).toBe("failed");
  expect(readCdkLine(cancelled).kind).toBe("progress");
});

it("an error is all that failed, with what cdk and Docker said, and without what went well", () => {
  const lines = [
    ...[
      "✨  Synthesis time: 0.01s",
      "L2mac: success: Built L2mac Template",
      "L2mac: creating CloudFormation changeset...",
    ],
    ...[complete, failed, cancelled, "#7 exec /bin/sh: exec format error", "", "❌  L2mac failed to deploy"],
  ];
  expect(errorIn(lines)).toEqual([failed, "#7 exec /bin/sh: exec format error", "❌  L2mac failed to deploy"]);
});
