/** Step Functions' own requests as the state machine's role: log delivery at the deployment, and traces. */
import { z } from "zod";
import type { DeployedResource, Iam, Principal } from "../parts.ts";

const Properties = z.object({
  RoleArn: z.string(),
  LoggingConfiguration: z.object({ Level: z.string() }).optional(),
  TracingConfiguration: z.object({ Enabled: z.boolean() }).optional(),
});

export const roleOf = ({ properties }: DeployedResource): string => Properties.parse(properties).RoleArn;

export const sessionOf = (iam: Iam, resource: DeployedResource): Principal =>
  iam.assume(roleOf(resource), "states.amazonaws.com");

/** What the service documents for a state machine with a log. */
const LOG_ACTIONS = [
  ...["CreateLogDelivery", "GetLogDelivery", "UpdateLogDelivery", "DeleteLogDelivery", "ListLogDeliveries"],
  ...["PutResourcePolicy", "DescribeResourcePolicies", "DescribeLogGroups"],
].map((action) => `logs:${action}`);

/** Without them a state machine with a log is never created. */
export function assertSetUp(iam: Iam, resource: DeployedResource): void {
  const { LoggingConfiguration } = Properties.parse(resource.properties);
  if (!LoggingConfiguration || LoggingConfiguration.Level === "OFF") return;
  const principal = sessionOf(iam, resource);
  for (const action of LOG_ACTIONS) {
    const denied = iam.authorise(principal, [{ action, resource: "*" }]);
    if (denied)
      throw new Error(`The state machine IAM Role is not authorized to access the Log Destination: ${denied.message}`);
  }
}

const TRACE_ACTIONS = ["PutTraceSegments", "PutTelemetryRecords", "GetSamplingRules", "GetSamplingTargets"];

/** Denial traces are lost, and nothing else. */
export function traceExecution(iam: Iam, resource: DeployedResource): void {
  if (!Properties.parse(resource.properties).TracingConfiguration?.Enabled) return;
  const principal = sessionOf(iam, resource);
  for (const action of TRACE_ACTIONS) iam.authorise(principal, [{ action: `xray:${action}`, resource: "*" }]);
}
