import { expect, it } from "vitest";
import { environmentFor, errorLines } from "./cdk.ts";

const complete =
  "L2mac |  3/97 | 10:02:11 AM | CREATE_COMPLETE      | AWS::S3::Bucket | Storage/Files (StorageFiles1A)";
const failed =
  'L2mac |  4/97 | 10:02:12 AM | CREATE_FAILED        | AWS::EC2::VPC | Evaluator/Network (N1) Resource handler returned message: "no"';
const cancelled =
  "L2mac |  4/97 | 10:02:13 AM | CREATE_FAILED        | AWS::SQS::Queue | Sweeper/Missed (M1) Resource creation cancelled";
const deleted = "L2mac | 12 | 10:02:11 AM | DELETE_COMPLETE | AWS::IAM::Role | Api/FunctionRole";

it("keeps failed resources and the errors of cdk and Docker, without progress and what was cancelled", () => {
  const lines = [
    ...["✨  Synthesis time: 0.01s", "L2mac: success: Built L2mac Template", complete, deleted, failed, cancelled],
    ...["#7 exec /bin/sh: exec format error", "", "❌  L2mac failed to deploy"],
  ];
  expect(errorLines(lines)).toEqual([failed, "#7 exec /bin/sh: exec format error", "❌  L2mac failed to deploy"]);
});

it("passes on the environment without keys of model servers", () => {
  const env = environmentFor({ AWS_REGION: "eu-west-1", OPENAI_API_KEY: "k", OTHER_API_KEY: "k", ABSENT: undefined });
  expect(env).toMatchObject({ AWS_REGION: "eu-west-1", BUILDX_NO_DEFAULT_ATTESTATIONS: "1" });
  expect(Object.keys(env).filter((name) => /KEY|ABSENT/.test(name))).toEqual([]);
});
