/** The services that the deployed functions call, and the IAM actions that each of their requests needs. Pure. */

import { decoded, partsOf } from "../sigv4/canonical-request.ts";
import { type DeploymentScope, isProblem, type ReadOperation, readTarget, unknownOperation } from "./operation.ts";
import { bedrockOperation } from "./operations-bedrock.ts";
import { dynamodbOperation } from "./operations-dynamodb.ts";
import { kmsOperation } from "./operations-kms.ts";
import { s3Operation } from "./operations-s3.ts";

const secretsOperation: ReadOperation = (request, place) => {
  const read = readTarget(request, "secretsmanager");
  if (isProblem(read)) return read;
  const { name, input } = read;
  if (name !== "GetSecretValue") return unknownOperation(`Secrets Manager's ${name}`);
  const resource = arnOf(String(input.SecretId), place);
  return { name, about: "secret", asks: [{ action: "secretsmanager:GetSecretValue", resource }] };
};

/** By its name too: the ARN ends in six characters that only Secrets Manager knows. */
function arnOf(secretId: string, { partition, region, account, resources }: DeploymentScope): string {
  if (secretId.startsWith("arn:")) return secretId;
  const before = `arn:${partition}:secretsmanager:${region}:${account}:secret:${secretId}`;
  const declared = Object.values(resources).find(
    ({ type, ref }) =>
      type === "AWS::SecretsManager::Secret" && ref.startsWith(`${before}-`) && ref.length === before.length + 7,
  );
  return declared?.ref ?? before;
}

const statesOperation: ReadOperation = (request) => {
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

/** One question for each event: they may go to different buses. */
const eventsOperation: ReadOperation = (request, { partition, region, account }) => {
  const read = readTarget(request, "AWSEvents");
  if (isProblem(read)) return read;
  const { name, input } = read;
  const entries = Array.isArray(input.Entries) ? (input.Entries as Record<string, unknown>[]) : [];
  if (name !== "PutEvents" || entries.length === 0) return unknownOperation(`EventBridge's ${name}`);
  const asks = entries.map(({ EventBusName = "default", Source, DetailType }) => ({
    action: "events:PutEvents",
    resource: `arn:${partition}:events:${region}:${account}:event-bus/${EventBusName}`,
    context: { "events:source": String(Source), "events:detail-type": String(DetailType) },
  }));
  return { name, about: entries.map(({ DetailType }) => DetailType).join(", "), asks };
};

const lambdaOperation: ReadOperation = ({ method, target, headers }, place) => {
  const { path, query } = partsOf(target);
  const named = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(path)?.[1];
  const waits = (headers["x-amz-invocation-type"] ?? "RequestResponse") === "RequestResponse";
  if (method !== "POST" || named === undefined || query.length > 0 || !waits)
    return unknownOperation(`Lambda's ${method} ${target} (${headers["x-amz-invocation-type"]})`);
  const resource = functionArn(decoded(named), place);
  const about = resource.split(":").at(-1) ?? "";
  return { name: "Invoke", about, asks: [{ action: "lambda:InvokeFunction", resource }] };
};

/** By name, by a part of the ARN (`111122223333:function:name`) or by all of it. */
function functionArn(named: string, { partition, region, account }: Omit<DeploymentScope, "resources">): string {
  if (named.startsWith("arn:")) return named;
  const [, owner = account, name = named] = /^(?:(\d{12}):)?(?:function:)?([^:]+)$/.exec(named) ?? [];
  return `arn:${partition}:lambda:${region}:${owner}:function:${name}`;
}

const codeBuildOperation: ReadOperation = (request, { partition, region, account }) => {
  const read = readTarget(request, "CodeBuild_20161006");
  if (isProblem(read)) return read;
  const { name, input } = read;
  const projects = PROJECTS_OF[name]?.(input);
  if (!projects || projects.length === 0) return unknownOperation(`CodeBuild's ${name}, with ${Object.keys(input)}`);
  const arn = (project: string) => `arn:${partition}:codebuild:${region}:${account}:project/${project}`;
  const asks = projects.map((project) => ({ action: `codebuild:${name}`, resource: arn(project) }));
  return { name, about: projects.join(", "), asks };
};

/** The id of a build begins with the name of its project. */
const PROJECTS_OF: Record<string, (input: Record<string, unknown>) => string[]> = {
  StartBuild: ({ projectName }) => (typeof projectName === "string" ? [projectName] : []),
  BatchGetBuilds: ({ ids }) => (Array.isArray(ids) ? ids.map((id) => String(id).split(":")[0] ?? "") : []),
};

/** By the name in a signature's scope. A service that is not here is not played. */
export const OPERATIONS = {
  dynamodb: dynamodbOperation,
  s3: s3Operation,
  secretsmanager: secretsOperation,
  lambda: lambdaOperation,
  states: statesOperation,
  codebuild: codeBuildOperation,
  events: eventsOperation,
  bedrock: bedrockOperation,
  kms: kmsOperation,
} satisfies Record<string, ReadOperation>;

export type ServiceName = keyof typeof OPERATIONS;

export const isServiceName = (name: string): name is ServiceName => Object.hasOwn(OPERATIONS, name);
