/** What a deployment left half way, read from the account. */
import type { Finding } from "../../deployment/finding.ts";
import { describeStack, listResources, type StackFacts } from "../../deployment/stack.ts";
import type { Target } from "../../deployment/target.ts";
import { blocksDeployment, describeUnfinished, isUnfinished } from "../../deployment/unfinished-stack.ts";
import type { Shell } from "../display/shell.ts";
import type { DeploymentOptions } from "./deployment-options.ts";

type Asked = Pick<DeploymentOptions, "config" | "target">;

/** Nothing, if the stack is finished, or does not exist. `known`: what was read of it already. */
export async function unfinishedLines(
  { config, target }: Asked,
  { launcher }: Pick<Shell, "launcher">,
  known?: StackFacts,
): Promise<string[]> {
  const { stackName: name } = config;
  const stack = known ?? (await readStack(target, name));
  if (!stack || !isUnfinished(stack.status)) return [];
  const listed = await listResources(target, name);
  const resources = "value" in listed ? listed.value : undefined;
  return describeUnfinished({ name, stack, resources, launcher, flags: flagsOf(target) });
}

async function readStack(target: Target, name: string): Promise<StackFacts | undefined> {
  const found = await describeStack(target, name);
  return "value" in found ? found.value : undefined;
}

const flagsOf = ({ region, profile }: Target): string =>
  [
    ...(region === undefined ? [] : [`--region ${region}`]),
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
  ].join(" ");

/** Before anything is built: a stack that no deployment can update. */
export async function unfinishedFinding(asked: Asked, shell: Pick<Shell, "launcher">): Promise<Finding[]> {
  const stack = await readStack(asked.target, asked.config.stackName);
  const lines = stack ? await unfinishedLines(asked, shell, stack) : [];
  if (!stack || lines.length === 0) return [];
  return [{ what: "stack", state: blocksDeployment(stack.status) ? "missing" : "note", says: lines.join("\n") }];
}
