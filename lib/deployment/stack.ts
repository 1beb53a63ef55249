/** What CloudFormation knows of a stack: how it stands, what it put out, what it made. */
import type { Place } from "./chosen.ts";
import { clientConfig } from "./client-config.ts";
import { asking, saysAbsent, type Told } from "./told.ts";

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
  /** Whether it outlives the stack. */
  kept: boolean;
}

/** Undefined: there is none. */
export const describeStack = (place: Place, name: string): Promise<Told<StackFacts | undefined>> =>
  asking(async () => {
    const { CloudFormationClient, DescribeStacksCommand } = await import("@aws-sdk/client-cloudformation");
    const client = new CloudFormationClient(clientConfig(place));
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
  if (!saysAbsent(error)) throw error;
}

/** As deployed: the configuration may say something else by now. */
export const listResources = (place: Place, name: string): Promise<Told<StackResource[]>> =>
  asking(async () => {
    const sdk = await import("@aws-sdk/client-cloudformation");
    const client = new sdk.CloudFormationClient(clientConfig(place));
    const template = await client.send(new sdk.GetTemplateCommand({ StackName: name, TemplateStage: "Processed" }));
    const declared = declaredIn(template.TemplateBody ?? "");
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
        });
      }
    }
    return found;
  });

function declaredIn(template: string): Record<string, { DeletionPolicy?: string }> {
  try {
    return JSON.parse(template).Resources ?? {};
  } catch {
    return {};
  }
}

/** Of the stack that `cdk bootstrap` makes. Undefined: it was never made here. */
export const BOOTSTRAP_STACK = "CDKToolkit";

export async function bootstrapVersion(place: Place): Promise<Told<number | undefined>> {
  const asked = await describeStack(place, BOOTSTRAP_STACK);
  if ("refusal" in asked) return asked;
  const version = Number(asked.told?.outputs.BootstrapVersion);
  return { told: Number.isInteger(version) ? version : undefined };
}
