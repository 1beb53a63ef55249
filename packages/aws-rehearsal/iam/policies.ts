/** The policies of a deployed stack: permissions and trust policies of roles, and resource policies. Pure. */
import type { DeployedResource, Deployment, PolicyStatement } from "../parts.ts";

/** A statement with its position. */
export interface Statement extends PolicyStatement {
  /** The logical id of the role, or of the resource's policy; or a user's name. */
  owner: string;
  /** Among those of its owner, counted from 0. */
  index: number;
}

/** In a policy of a resource: whom it speaks of. */
export interface ResourceStatement extends Statement {
  Principal: { services: string[]; arns: string[]; everybody: boolean };
}

interface Document {
  Statement?: (PolicyStatement & { Principal?: unknown; NotPrincipal?: unknown; Sid?: string })[];
}

/** Those that stand in the role itself, then those that are attached to it. */
export function roleStatements({ resources }: Deployment, role: DeployedResource): Statement[] {
  const { ManagedPolicyArns, Policies = [] } = role.properties;
  if (ManagedPolicyArns !== undefined)
    throw new Error(
      `What the managed policies of ${role.logicalId} allow is not known: ${JSON.stringify(ManagedPolicyArns)}`,
    );
  const attached = Object.values(resources).filter(
    ({ type, properties }) =>
      type === "AWS::IAM::Policy" && (properties.Roles as string[] | undefined)?.includes(role.ref),
  );
  const documents = [...(Policies as { PolicyDocument: Document }[]), ...attached.map(({ properties }) => properties)];
  return documents
    .flatMap(({ PolicyDocument }) => statementsOf(PolicyDocument as Document, role.logicalId))
    .map((statement, index) => ({ ...statement, owner: role.logicalId, index }));
}

/** The services that may take a role. Whatever else a trust policy says is refused. */
export function trustedServices({ logicalId, properties }: DeployedResource): string[] {
  return statementsOf(properties.AssumeRolePolicyDocument as Document, logicalId).flatMap((statement) => {
    const { Effect, Action, Condition, Principal } = statement;
    if (Effect !== "Allow" || Action !== "sts:AssumeRole" || Condition !== undefined)
      throw new Error(`The trust policy of ${logicalId} is not played: ${JSON.stringify(statement)}`);
    return principalOf(Principal, logicalId).services;
  });
}

/** Of buckets, queues and functions: all policies that resources of the stack have of their own. */
export const resourceStatements = ({ resources }: Deployment): ResourceStatement[] =>
  Object.values(resources).flatMap((resource) => {
    const read = RESOURCE_POLICIES[resource.type];
    if (read) return read(resource, resources);
    if (/Policy$|Permission$/.test(resource.type) && resource.type !== "AWS::IAM::Policy")
      throw new Error(`A policy of the type ${resource.type} (${resource.logicalId}) is not played.`);
    return [];
  });

type Read = (resource: DeployedResource, resources: Deployment["resources"]) => ResourceStatement[];

const RESOURCE_POLICIES: Record<string, Read> = {
  "AWS::S3::BucketPolicy": readDocument,
  "AWS::SQS::QueuePolicy": readDocument,
  "AWS::SNS::TopicPolicy": readDocument,
  "AWS::Lambda::Permission": readPermission,
};

function readDocument({ logicalId, properties }: DeployedResource): ResourceStatement[] {
  return statementsOf(properties.PolicyDocument as Document, logicalId).map((statement, index) => {
    if (statement.NotPrincipal !== undefined) throw new Error(`NotPrincipal is not played (${logicalId}).`);
    return { ...statement, owner: logicalId, index, Principal: principalOf(statement.Principal, logicalId) };
  });
}

const PERMISSION = new Set(["Action", "FunctionName", "Principal", "SourceArn", "SourceAccount"]);

function readPermission(
  { logicalId, properties }: DeployedResource,
  resources: Deployment["resources"],
): ResourceStatement[] {
  const { Action, FunctionName, Principal, SourceArn, SourceAccount } = properties as Record<
    string,
    string | undefined
  >;
  const unknown = Object.keys(properties).find((name) => !PERMISSION.has(name));
  if (unknown || !Action || !Principal)
    throw new Error(`The permission ${logicalId} is not played: ${unknown ?? "it says too little"}`);
  const lambda = Object.values(resources).find(
    ({ type, ref, arn }) => type === "AWS::Lambda::Function" && [ref, arn].includes(FunctionName ?? ""),
  );
  if (!lambda?.arn) throw new Error(`The permission ${logicalId} is for a function that is not there: ${FunctionName}`);
  const Condition = {
    ...(SourceArn === undefined ? {} : { ArnLike: { "AWS:SourceArn": SourceArn } }),
    ...(SourceAccount === undefined ? {} : { StringEquals: { "AWS:SourceAccount": SourceAccount } }),
  };
  const who = Principal.endsWith(".amazonaws.com") ? { Service: Principal } : { AWS: Principal };
  return [
    {
      ...{ owner: logicalId, index: 0, Effect: "Allow", Action, Resource: lambda.arn },
      ...(Object.keys(Condition).length > 0 ? { Condition } : {}),
      Principal: principalOf(who, logicalId),
    },
  ];
}

const MEMBERS = new Set([
  ...["Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition"],
]);

function statementsOf(document: Document | undefined, owner: string): NonNullable<Document["Statement"]> {
  const statements = [document?.Statement ?? []].flat();
  if (statements.length === 0) throw new Error(`A policy of ${owner} says nothing.`);
  for (const statement of statements) {
    const unknown = Object.keys(statement).find((name) => !MEMBERS.has(name));
    if (unknown) throw new Error(`A statement of ${owner} has the member ${unknown}, which is not played.`);
  }
  return statements;
}

function principalOf(principal: unknown, owner: string): ResourceStatement["Principal"] {
  if (principal === "*") return { services: [], arns: [], everybody: true };
  const {
    Service = [],
    AWS = [],
    ...others
  } = (principal ?? {}) as { Service?: string | string[]; AWS?: string | string[] };
  const [services, arns] = [[Service].flat(), [AWS].flat()];
  if (Object.keys(others).length > 0 || services.length + arns.length === 0)
    throw new Error(`The principal of a policy of ${owner} is not played: ${JSON.stringify(principal)}`);
  return { services, arns: arns.filter((arn) => arn !== "*"), everybody: arns.includes("*") };
}
