/** The functions of the template, with their settings. A function that this emulation cannot run faithfully is an error. */

import { z } from "zod";
import type { DeployedResource, Deployment, Iam } from "../parts.ts";

export interface FunctionDeclaration {
  logicalId: string;
  name: string;
  arn: string;
  /** Of a zip: its code. Of an image: what it is built from. */
  folder: string;
  properties: FunctionProperties;
}

const FunctionProperties = z.object({
  Code: z.object({ ImageUri: z.string().optional() }),
  PackageType: z.enum(["Zip", "Image"]).default("Zip"),
  /** Of a zip. */
  Runtime: z.literal("nodejs24.x").optional(),
  Handler: z.string().optional(),
  Role: z.string(),
  /** In seconds. */
  Timeout: z.int().min(1).max(900).default(3),
  /** In megabytes. */
  MemorySize: z.int().min(128).max(10_240).default(128),
  Environment: z.object({ Variables: z.record(z.string(), z.string()).default({}) }).prefault({}),
  LoggingConfig: z
    .object({
      LogGroup: z.string().optional(),
      LogFormat: z.enum(["JSON", "Text"]).default("Text"),
      ApplicationLogLevel: z.string().optional(),
    })
    .prefault({}),
  TracingConfig: z.object({ Mode: z.enum(["Active", "PassThrough"]) }).default({ Mode: "PassThrough" }),
  TenancyConfig: z.object({ TenantIsolationMode: z.literal("PER_TENANT") }).optional(),
  ReservedConcurrentExecutions: z.int().optional(),
  VpcConfig: z.object({ SubnetIds: z.array(z.string()) }).optional(),
});
export type FunctionProperties = z.infer<typeof FunctionProperties>;

/** `imageFolder`: by the URI of an image. */
export function declaredFunctions(
  deployed: Deployment,
  imageFolder: ((imageUri: string) => string) | undefined,
): FunctionDeclaration[] {
  const functions = Object.values(deployed.resources).filter(({ type }) => type === "AWS::Lambda::Function");
  return functions.map((resource) => declarationOf(resource, imageFolder));
}

function declarationOf(
  { logicalId, ref, arn, codeFolder, properties }: DeployedResource,
  imageFolder: ((imageUri: string) => string) | undefined,
): FunctionDeclaration {
  const read = FunctionProperties.safeParse(properties);
  if (!read.success) throw new Error(`${logicalId} is not understood:\n${z.prettifyError(read.error)}`);
  const { PackageType, Runtime, Handler, Code } = read.data;
  if (PackageType === "Zip" && (Runtime === undefined || Handler === undefined))
    throw new Error(`${logicalId} has no runtime or no handler.`);
  const folder = Code.ImageUri === undefined ? codeFolder : imageFolder?.(Code.ImageUri);
  if (arn === undefined || folder === undefined) throw new Error(`${logicalId} has no ARN or no code.`);
  return { logicalId, name: ref, arn, folder, properties: read.data };
}

export const logGroupOf = ({ name, properties }: FunctionDeclaration): string =>
  properties.LoggingConfig.LogGroup ?? `/aws/lambda/${name}`;

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
