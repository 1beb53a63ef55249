/** A stack that a deployment left half way: what of it exists, what that costs, and how to go on or undo. Pure. */
import { idleCost, totalUsd } from "./cost/idle-cost.ts";
import type { StackFacts, StackResource } from "./stack.ts";

export interface UnfinishedStack {
  name: string;
  stack: Pick<StackFacts, "status" | "reason">;
  /** Absent: they could not be listed. */
  resources?: readonly StackResource[] | undefined;
  /** The command line of this program: `npx l2mac`. */
  launcher: string;
  /** `--region … --profile …`, for the commands of AWS. */
  flags?: string;
}

/** What a status of CloudFormation means. `{deploy}` and `{destroy}` are commands of this program. */
interface Situation {
  means: string;
  /** Whether another deployment would fail at once. */
  blocks: boolean;
  goOn: string;
  undo: string;
}

const AGAIN = "{destroy}, then {deploy}";
const ROLL_BACK = "aws cloudformation continue-update-rollback --stack-name {name}{flags}{skipped}";

const SITUATIONS: Readonly<Record<string, Situation>> = {
  DELETE_IN_PROGRESS: {
    means: "CloudFormation is deleting it",
    blocks: true,
    goOn: "{destroy} waits for it, and shows what is kept",
    undo: "{deploy} creates it again, once it is deleted",
  },
  CREATE_FAILED: {
    means: "its creation stopped, and what was created stays",
    blocks: true,
    goOn: AGAIN,
    undo: "{destroy}",
  },
  ROLLBACK_COMPLETE: {
    means: "its creation failed, and CloudFormation removed what it had created, except what is retained",
    blocks: false,
    goOn: "{deploy} replaces it",
    undo: "{destroy}, which names what is retained, and how to remove that",
  },
  ROLLBACK_FAILED: {
    means: "its creation failed, and so did the removal of what was created",
    blocks: true,
    goOn: AGAIN,
    undo: "{destroy}",
  },
  UPDATE_FAILED: {
    means: "an update stopped: some resources are new, and some as before",
    blocks: true,
    goOn: "npx cdk rollback {name}, then {deploy}",
    undo: "npx cdk rollback {name}",
  },
  UPDATE_ROLLBACK_FAILED: {
    means: "an update failed, and so did the way back: some resources are new, and some as before",
    blocks: true,
    goOn: `${ROLL_BACK}, then {deploy}`,
    undo: "{destroy} removes it, and says before what it keeps",
  },
  DELETE_FAILED: {
    means: "it was deleted in part",
    blocks: true,
    goOn: "{destroy}",
    undo: "{destroy}, then {deploy} creates it again",
  },
};

const AT_WORK: Situation = {
  means: "CloudFormation is at work, and continues without this command",
  blocks: false,
  goOn: "{deploy} waits for it, and continues",
  undo: "{destroy}, once it has finished",
};

/** What is under review has no resources. */
const situationOf = (status: string): Situation | undefined =>
  SITUATIONS[status] ?? (status.endsWith("_IN_PROGRESS") && status !== "REVIEW_IN_PROGRESS" ? AT_WORK : undefined);

/** Whether something is to be said of it at all. */
export const isUnfinished = (status: string): boolean => situationOf(status) !== undefined;

/** Whether a deployment would fail at once. */
export const blocksDeployment = (status: string): boolean => situationOf(status)?.blocks === true;

/** Nothing, if it is finished. */
export function describeUnfinished({ name, stack, resources, launcher, flags = "" }: UnfinishedStack): string[] {
  const situation = situationOf(stack.status);
  if (!situation) return [];
  const stuck = (resources ?? []).filter(({ status }) => status === "UPDATE_FAILED").map(({ logicalId }) => logicalId);
  const values: Record<string, string> = {
    name,
    deploy: `${launcher} deploy`,
    destroy: `${launcher} destroy`,
    flags: flags === "" ? "" : ` ${flags}`,
    skipped: stuck.length > 0 ? ` (add --resources-to-skip ${stuck.join(" ")} if it fails again)` : "",
  };
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_, word: string) => values[word] ?? "");
  return [
    `${name} is ${stack.status}: ${situation.means}.`,
    ...(stack.reason ? [`  CloudFormation says: ${stack.reason}`] : []),
    ...(resources ? contentsOf(resources) : ["  What of it exists could not be listed."]),
    `  To go on: ${filled(situation.goOn)}`,
    `  To undo: ${filled(situation.undo)}`,
  ];
}

/** A resource whose creation failed may be there all the same, if it has a name already. */
export const doesExist = ({ status, physicalId }: Pick<StackResource, "status" | "physicalId">): boolean =>
  status !== "DELETE_COMPLETE" && physicalId !== "";

function contentsOf(resources: readonly StackResource[]): string[] {
  const there = resources.filter(doesExist);
  if (there.length === 0) return ["  None of its resources exists, and nothing is charged."];
  const lines = idleCost(
    Object.fromEntries(
      there.map(({ logicalId, type, properties }) => [logicalId, { Type: type, Properties: properties }]),
    ),
  );
  const usd = totalUsd(lines);
  const cost =
    usd < 0.005
      ? "Idle they cost nothing; stored data costs by the GB."
      : `Idle they cost about $${usd.toFixed(2)} a month: ${lines.map((line) => `${line.what} $${line.usd.toFixed(2)}`).join(", ")}.`;
  return [`  ${there.length} of ${resources.length} resources exist. ${cost}`];
}
