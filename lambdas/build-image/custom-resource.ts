/** The protocol of CloudFormation's custom resources: what it asks a function, and how it is answered. */
import * as z from "zod";

export const ResourceRequest = z.object({
  RequestType: z.enum(["Create", "Update", "Delete"]),
  ResponseURL: z.string(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  ResourceProperties: z.record(z.string(), z.unknown()).default({}),
});
export type ResourceRequest = z.infer<typeof ResourceRequest>;

/** `problem`: why the resource could not be made. CloudFormation shows it with the resource's failure. */
export type ResourceAnswer = { problem?: string };

/** CloudFormation takes 4,096 bytes in all. */
const REASON_CHARS = 2_000;

/** The id never changes, so that no update replaces the resource. */
export function answerBody(asked: ResourceRequest, { problem }: ResourceAnswer): string {
  const { StackId, RequestId, LogicalResourceId } = asked;
  return JSON.stringify({
    Status: problem === undefined ? "SUCCESS" : "FAILED",
    Reason: problem?.slice(0, REASON_CHARS) ?? "",
    PhysicalResourceId: LogicalResourceId,
    StackId,
    RequestId,
    LogicalResourceId,
  });
}
