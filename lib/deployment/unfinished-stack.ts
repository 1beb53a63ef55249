/** A stack that a deployment left half way: what of it exists, what that costs, and how to go on or undo. Pure. */
import { idleCost, type TemplateResources, totalUsd } from "./cost/idle-cost.ts";
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

/** One status of CloudFormation, or several that mean the same. */
interface Situation {
  when: RegExp;
  means: string;
  /** Whether another deployment can begin, possibly after CloudFormation is done. */
  canDeploy: boolean;
  goOn(asked: UnfinishedStack): string;
  undo(asked: UnfinishedStack): string;
}

const deploy = ({ launcher }: UnfinishedStack): string => `${launcher} deploy`;
const destroy = ({ launcher }: UnfinishedStack): string => `${launcher} destroy`;

/** The first that matches applies. */
const SITUATIONS: readonly Situation[] = [
  {
    when: /^DELETE_IN_PROGRESS$/,
    means: "CloudFormation is deleting it",
    canDeploy: false,
    goOn: (asked) => `${destroy(asked)} waits for it, and shows what is kept`,
    undo: (asked) => `${deploy(asked)} creates it again, once it is deleted`,
  },
  {
    when: /_IN_PROGRESS$/,
    means: "CloudFormation is at work, and continues without this command",
    canDeploy: true,
    goOn: (asked) => `${deploy(asked)} waits for it, and continues`,
    undo: (asked) => `${destroy(asked)}, once it has finished`,
  },
  {
    when: /^CREATE_FAILED$/,
    means: "its creation stopped, and what was created stays",
    canDeploy: false,
    goOn: (asked) => `${destroy(asked)}, then ${deploy(asked)}`,
    undo: destroy,
  },
  {
    when: /^ROLLBACK_COMPLETE$/,
    means: "its creation failed, and CloudFormation removed what it had created, except what is retained",
    canDeploy: true,
    goOn: (asked) => `${deploy(asked)} replaces it`,
    undo: destroy,
  },
  {
    when: /^ROLLBACK_FAILED$/,
    means: "its creation failed, and so did the removal of what was created",
    canDeploy: false,
    goOn: (asked) => `${destroy(asked)}, then ${deploy(asked)}`,
    undo: destroy,
  },
  {
    when: /^UPDATE_FAILED$/,
    means: "an update stopped: some resources are new, and some as before",
    canDeploy: false,
    goOn: (asked) => `npx cdk rollback ${asked.name}, then ${deploy(asked)}`,
    undo: ({ name }) => `npx cdk rollback ${name}`,
  },
  {
    when: /^UPDATE_ROLLBACK_FAILED$/,
    means: "an update failed, and so did the way back: some resources are new, and some as before",
    canDeploy: false,
    goOn: (asked) => `${continueRollback(asked)}, then ${deploy(asked)}`,
    undo: (asked) => `${destroy(asked)} removes it, and says before what it keeps`,
  },
  {
    when: /^DELETE_FAILED$/,
    means: "it was deleted in part",
    canDeploy: false,
    goOn: destroy,
    undo: (asked) => `${destroy(asked)}, then ${deploy(asked)} creates it again`,
  },
];

/** Without what cannot be restored, if something cannot. */
function continueRollback({ name, resources = [], flags = "" }: UnfinishedStack): string {
  const stuck = resources.filter(({ status }) => status === "UPDATE_FAILED").map(({ logicalId }) => logicalId);
  const skipped = stuck.length > 0 ? ` (add --resources-to-skip ${stuck.join(" ")} if it fails again)` : "";
  return `aws cloudformation continue-update-rollback --stack-name ${name}${flags === "" ? "" : ` ${flags}`}${skipped}`;
}

const situationOf = (status: string): Situation | undefined => SITUATIONS.find(({ when }) => when.test(status));

/** Whether something is to be said of it at all. What is under review has no resources. */
export const isUnfinished = (status: string): boolean =>
  status !== "REVIEW_IN_PROGRESS" && situationOf(status) !== undefined;

/** Whether a deployment would fail at once. */
export const blocksDeployment = (status: string): boolean => situationOf(status)?.canDeploy === false;

/** Nothing, if it is finished. */
export function describeUnfinished(asked: UnfinishedStack): string[] {
  const { name, stack, resources } = asked;
  const situation = isUnfinished(stack.status) ? situationOf(stack.status) : undefined;
  if (!situation) return [];
  return [
    `${name} is ${stack.status}: ${situation.means}.`,
    ...(stack.reason ? [`  CloudFormation says: ${stack.reason}`] : []),
    ...(resources ? contentsOf(resources) : ["  What of it exists could not be listed."]),
    `  To go on: ${situation.goOn(asked)}`,
    `  To undo: ${situation.undo(asked)}`,
  ];
}

/** A resource whose creation failed may be there all the same, if it has a name already. */
export const doesExist = ({ status, physicalId }: Pick<StackResource, "status" | "physicalId">): boolean =>
  status !== "DELETE_COMPLETE" && physicalId !== "";

function contentsOf(resources: readonly StackResource[]): string[] {
  const there = resources.filter(doesExist);
  if (there.length === 0) return ["  None of its resources exists, and nothing is charged."];
  const lines = idleCost(templateOf(there));
  const usd = totalUsd(lines);
  const named = lines.map((line) => `${line.what} $${line.usd.toFixed(2)}`).join(", ");
  return [
    `  ${there.length} of ${resources.length} resources exist: ${countsOf(there)}.`,
    usd < 0.005
      ? "  Idle they cost nothing; stored data costs by the GB."
      : `  Idle they cost about $${usd.toFixed(2)} a month: ${named}.`,
  ];
}

const templateOf = (resources: readonly StackResource[]): TemplateResources =>
  Object.fromEntries(
    resources.map(({ logicalId, type, properties }) => [logicalId, { Type: type, Properties: properties }]),
  );

const NAMES: [type: string, one: string, many: string][] = [
  ["AWS::Lambda::Function", "function", "functions"],
  ["AWS::DynamoDB::Table", "table", "tables"],
  ["AWS::S3::Bucket", "bucket", "buckets"],
  ["AWS::StepFunctions::StateMachine", "state machine", "state machines"],
  ["AWS::ApiGateway::RestApi", "API", "APIs"],
  ["AWS::SecretsManager::Secret", "secret", "secrets"],
  ["AWS::CloudWatch::Alarm", "alarm", "alarms"],
  ["AWS::EC2::VPC", "network", "networks"],
];

/** `7 functions, 1 table, 30 others` */
function countsOf(resources: readonly StackResource[]): string {
  const counted = NAMES.map(([type, one, many]) => {
    const count = resources.filter((each) => each.type === type).length;
    return { count, text: `${count} ${count === 1 ? one : many}` };
  }).filter(({ count }) => count > 0);
  const others = resources.length - counted.reduce((sum, { count }) => sum + count, 0);
  return [
    ...counted.map(({ text }) => text),
    ...(others > 0 ? [`${others} ${others === 1 ? "other" : "others"}`] : []),
  ].join(", ");
}
