/** The deployed stack: its status and outputs, its resources, the evaluator's function, and CDK's bootstrap stack. */
import { type AwsResult, askAws, isAbsent } from "./aws-result.ts";
import { clientConfig, type Target } from "./target.ts";

export interface StackFacts {
  status: string;
  reason: string;
  outputs: Record<string, string>;
}

export interface StackResource {
  logicalId: string;
  physicalId: string;
  type: string;
  status: string;
  /** Whether it is retained when the stack is deleted. */
  kept: boolean;
  /** As the deployed template declares it. */
  properties?: Record<string, unknown> | undefined;
}

/** Undefined: the stack does not exist. */
export const describeStack = (target: Target, name: string): Promise<AwsResult<StackFacts | undefined>> =>
  askAws(async () => {
    const { CloudFormationClient, DescribeStacksCommand } = await import("@aws-sdk/client-cloudformation");
    const client = new CloudFormationClient(clientConfig(target));
    const answer = await client.send(new DescribeStacksCommand({ StackName: name })).catch(undefinedIfAbsent);
    const [stack] = answer?.Stacks ?? [];
    if (!stack) return undefined;
    const outputs = (stack.Outputs ?? []).map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]);
    return {
      status: stack.StackStatus ?? "",
      reason: stack.StackStatusReason ?? "",
      outputs: Object.fromEntries(outputs),
    };
  });

function undefinedIfAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

/** Reads the deployed template, since the configuration may have changed after the deployment. */
export const listResources = (target: Target, name: string): Promise<AwsResult<StackResource[]>> =>
  askAws(async () => {
    const sdk = await import("@aws-sdk/client-cloudformation");
    const client = new sdk.CloudFormationClient(clientConfig(target));
    const template = await client.send(new sdk.GetTemplateCommand({ StackName: name, TemplateStage: "Processed" }));
    const declared = parseResources(template.TemplateBody ?? "");
    const found: StackResource[] = [];
    for await (const page of sdk.paginateListStackResources({ client }, { StackName: name })) {
      for (const each of page.StackResourceSummaries ?? []) {
        const logicalId = each.LogicalResourceId ?? "";
        found.push({
          logicalId,
          physicalId: each.PhysicalResourceId ?? "",
          type: each.ResourceType ?? "",
          status: each.ResourceStatus ?? "",
          kept: declared[logicalId]?.DeletionPolicy === "Retain",
          properties: declared[logicalId]?.Properties,
        });
      }
    }
    return found;
  });

interface DeclaredResource {
  DeletionPolicy?: string;
  Properties?: Record<string, unknown>;
}

function parseResources(template: string): Record<string, DeclaredResource> {
  try {
    return JSON.parse(template).Resources ?? {};
  } catch {
    return {};
  }
}

export interface FunctionFacts {
  state: string;
  reasonCode: string;
  reason: string;
  lastUpdate: string;
  lastUpdateReason: string;
  architecture: string;
  inVpc: boolean;
  perTenant: boolean;
}

export const describeFunction = (target: Target, FunctionName: string): Promise<AwsResult<FunctionFacts>> =>
  askAws(async () => {
    const { GetFunctionCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
    const client = new LambdaClient(clientConfig(target));
    const { Configuration: found = {} } = await client.send(new GetFunctionCommand({ FunctionName }));
    return {
      state: found.State ?? "Active",
      reasonCode: found.StateReasonCode ?? "",
      reason: found.StateReason ?? "",
      lastUpdate: found.LastUpdateStatus ?? "Successful",
      lastUpdateReason: [found.LastUpdateStatusReasonCode, found.LastUpdateStatusReason].filter(Boolean).join(" "),
      architecture: found.Architectures?.[0] ?? "x86_64",
      inVpc: (found.VpcConfig?.SubnetIds ?? []).length > 0,
      perTenant: found.TenancyConfig?.TenantIsolationMode === "PER_TENANT",
    };
  });

/** The version of the stack that `cdk bootstrap` creates. Undefined: the account is not bootstrapped in this region. */
export async function bootstrapVersion(target: Target): Promise<AwsResult<number | undefined>> {
  const stack = await describeStack(target, "CDKToolkit");
  if ("refusal" in stack) return stack;
  const version = Number(stack.value?.outputs.BootstrapVersion);
  return { value: Number.isInteger(version) ? version : undefined };
}
