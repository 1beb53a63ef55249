/** The outputs of a deployed stack, or why they cannot be known. */
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import type { Place } from "./clients.ts";

export type FoundOutputs = { outputs: Record<string, string> } | { problem: string };

const SHORT_MS = 10_000;
const TRIES = 3;

export async function findStackOutputs(stackName: string, place: Place = {}): Promise<FoundOutputs> {
  const client = new CloudFormationClient({
    ...place,
    maxAttempts: TRIES,
    requestHandler: { connectionTimeout: SHORT_MS, requestTimeout: SHORT_MS, throwOnRequestTimeout: true },
  });
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const pairs = (stack?.Outputs ?? []).map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]);
    return { outputs: Object.fromEntries(pairs) };
  } catch (error) {
    return { problem: problemOf(stackName, error) };
  } finally {
    client.destroy();
  }
}

function problemOf(stackName: string, error: unknown): string {
  const [message = ""] = String(error instanceof Error ? error.message : error).split("\n", 1);
  const said = message.replace(/\.$/, "");
  if (/does not exist/.test(said)) return `there is no stack ${stackName} in this account and region`;
  if (/region/i.test(said)) return "no AWS region is chosen (AWS_REGION)";
  return `CloudFormation could not be asked about the stack ${stackName}: ${said}`;
}
