import { expect, it } from "vitest";
import { errorsIn } from "./project-cdk.ts";

it("looks for codes in what failed by itself, not in progress, permissions, or what was cancelled", () => {
  const failed = "L2mac |  4/97 | 10:02:12 AM | CREATE_FAILED        | AWS::EC2::VPC | Evaluator/Network (N1) no";
  const ended = "❌  L2mac failed: ToolkitError: ROLLBACK_COMPLETE: Resource handler returned message: no";
  const lines = [
    ...["L2mac: success: Built L2mac Template", failed, "#7 exec /bin/sh: exec format error: exit 1", "", ended],
    "L2mac |  3/97 | 10:02:11 AM | CREATE_COMPLETE      | AWS::EC2::Subnet | Evaluator/RecordFailure",
    "L2mac |  5/97 | 10:02:13 AM | CREATE_FAILED        | AWS::EC2::Subnet | Sweeper Resource creation cancelled",
    "│ + │ RecordFailure.Arn │ Allow │ lambda:InvokeFunction │ lambda:SourceFunctionArn │",
  ];
  expect(errorsIn(lines).split("\n")).toEqual([failed, "#7 exec /bin/sh: exec format error: exit 1", ended]);
});
