/** The operations of Step Functions that are played. Pure. */
import { isProblem, type ReadOperation, readTarget, unknownOperation } from "./operation.ts";

export const statesOperation: ReadOperation = (request) => {
  const read = readTarget(request, "AWSStepFunctions");
  if (isProblem(read)) return read;
  const { name, input } = read;
  const named = ON[name];
  const resource = named === undefined ? undefined : input[named];
  if (typeof resource !== "string") return unknownOperation(`${name} of Step Functions, with ${Object.keys(input)}`);
  const about = typeof input.name === "string" ? input.name : (resource.split(":").at(-1) ?? "");
  return { name, about, asks: [{ action: `states:${name}`, resource }] };
};

/** What each of them is about. */
const ON: Record<string, string> = { StartExecution: "stateMachineArn", DescribeExecution: "executionArn" };
