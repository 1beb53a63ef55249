/** What a deployment left half way, read from the account. */
import type { Finding } from "../../deployment/finding.ts";
import { describeStack, listResources, type StackFacts } from "../../deployment/stack.ts";
import { blocksDeployment, describeUnfinished, isUnfinished } from "../../deployment/unfinished-stack.ts";
import type { Shell } from "../display/shell.ts";
import type { DeploymentOptions } from "./deployment-options.ts";

type Asked = Pick<DeploymentOptions, "config" | "target">;

/** Nothing, if the stack is finished. */
export async function unfinishedLines(
  { config: { stackName: name }, target }: Asked,
  { launcher }: Pick<Shell, "launcher">,
  stack: StackFacts,
): Promise<string[]> {
  if (!isUnfinished(stack.status)) return [];
  const listed = await listResources(target, name);
  const flags = Object.entries(target).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag} ${value}`]));
  const resources = "value" in listed ? listed.value : undefined;
  return describeUnfinished({ name, stack, resources, launcher, flags: flags.join(" ") });
}

/** Before anything is built: a stack that no deployment can update. */
export async function unfinishedFinding(asked: Asked, shell: Pick<Shell, "launcher">): Promise<Finding[]> {
  const found = await describeStack(asked.target, asked.config.stackName);
  const stack = "value" in found ? found.value : undefined;
  const lines = stack ? await unfinishedLines(asked, shell, stack) : [];
  if (!stack || lines.length === 0) return [];
  return [{ what: "stack", state: blocksDeployment(stack.status) ? "missing" : "note", says: lines.join("\n") }];
}

/** After a deployment that failed or was interrupted: what there is now, and what it costs. */
export async function standingLines(asked: Asked, shell: Pick<Shell, "launcher">): Promise<string[]> {
  const found = await describeStack(asked.target, asked.config.stackName);
  if ("refusal" in found) return [`The stack could not be read: ${found.refusal.reason}.`];
  const stack = found.value;
  if (!stack || /^(DELETE_COMPLETE|REVIEW_IN_PROGRESS)$/.test(stack.status))
    return ["Nothing of the stack exists, and nothing is charged for it."];
  const lines = await unfinishedLines(asked, shell, stack);
  if (lines.length > 0) return [...lines, "Runs and files are untouched."];
  return [`The stack is ${stack.status}. Runs and files are untouched, and it costs what it did.`];
}
