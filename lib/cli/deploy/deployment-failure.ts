/** A failed deployment: the state of the stack, what remains of it, and what to do. */
import { UserError } from "../../core/errors.ts";
import { errorLines } from "../../deployment/cdk.ts";
import { adviceFor } from "../../deployment/remedies.ts";
import { retainedResources } from "../../deployment/retained-resources.ts";
import { describeStack, listResources } from "../../deployment/stack.ts";
import type { Target } from "../../deployment/target.ts";
import type { CdkRun } from "./project-cdk.ts";
import { unfinishedLines } from "./unfinished.ts";

export async function deploymentFailure({ options, shell }: CdkRun, lines: string[]): Promise<UserError> {
  const { config, target } = options;
  shell.say("");
  const unfinished = await unfinishedLines(options, shell);
  for (const line of [...unfinished, ...(await remainsOf(config.stackName, target, unfinished.length > 0))])
    shell.say(line);
  const advice = adviceFor(errorLines(lines).join("\n"));
  return new UserError(`${config.stackName} was not deployed; the errors are above.`, {
    exitCode: 3,
    remedy: {
      command: "deploy",
      args: [],
      note:
        advice.length > 0
          ? `after this: ${advice.join(" ")}`
          : "if it is about a resource, docs/deploy.md names the switch that leaves it out",
    },
  });
}

/** A first deployment that fails leaves the resources that are retained: empty, but there. */
async function remainsOf(name: string, target: Target, isUnfinished: boolean): Promise<string[]> {
  const found = await describeStack(target, name);
  if (!("value" in found)) return [];
  const status = found.value?.status ?? "DELETE_COMPLETE";
  if (!/^(ROLLBACK|DELETE)_COMPLETE$|^REVIEW_IN_PROGRESS$/.test(status)) {
    if (isUnfinished) return ["Runs and files are untouched."];
    const before = /^UPDATE_ROLLBACK/.test(status)
      ? "CloudFormation restores what was deployed before"
      : "it stays as it is";
    return [`The stack is ${status}: ${before}, and costs what it did. Runs and files are untouched.`];
  }
  if (!found.value) return ["Nothing of the stack was created, and nothing is charged for it."];
  const resources = await listResources(target, name);
  const skipped = "value" in resources ? resources.value.filter((each) => each.status === "DELETE_SKIPPED") : [];
  const left = retainedResources(skipped.map((each) => ({ ...each, kept: true })));
  if (left.length === 0) return ["CloudFormation removed what it had created; nothing is charged for it."];
  return [
    "CloudFormation removed what it had created, except what is to be retained. That is empty and costs nothing:",
    ...left.flatMap(({ what, commands }) => [`  ${what}`, ...commands.map((command) => `    ${command}`)]),
  ];
}
