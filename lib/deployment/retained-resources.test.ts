import { expect, it } from "vitest";
import { retainedResources } from "./retained-resources.ts";

it("the log of image builds, which the error of a failed build names, is kept and can be deleted", () => {
  const log = {
    logicalId: "ImageBuildLog1",
    type: "AWS::Logs::LogGroup",
    physicalId: "L2mac-ImageBuildLog1-x",
    status: "DELETE_SKIPPED",
    kept: true,
  };
  const other = { ...log, logicalId: "ApiLog1", physicalId: "L2mac-ApiLog1-x", kept: false };
  expect(retainedResources([log, other])).toEqual([
    {
      what: "the log group L2mac-ImageBuildLog1-x of image builds",
      commands: ["aws logs delete-log-group --log-group-name L2mac-ImageBuildLog1-x"],
    },
  ]);
});
