/** A function in a network of the stack: Lambda itself must be able to put it there, as the function's role, or it is never created. */

import type { Iam } from "../parts.ts";
import type { FunctionDeclaration } from "./function-declaration.ts";

/** What Lambda documents for a function in a VPC. These calls do not carry the function's ARN. */
const ACTIONS = [
  "ec2:CreateNetworkInterface",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeSubnets",
  "ec2:DeleteNetworkInterface",
  "ec2:AssignPrivateIpAddresses",
  "ec2:UnassignPrivateIpAddresses",
];

export function joinNetworks(iam: Iam, { properties }: FunctionDeclaration): void {
  if (!properties.VpcConfig) return;
  const principal = iam.assume(properties.Role, "lambda.amazonaws.com");
  for (const action of ACTIONS) {
    if (!iam.authorise(principal, [{ action, resource: "*" }])) continue;
    const call = action.replace("ec2:", "");
    throw new Error(`The provided execution role does not have permissions to call ${call} on EC2 (${principal.name})`);
  }
}
