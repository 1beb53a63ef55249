/** What remains after a stack is deleted, and the commands that remove it for good. Pure. */
import type { StackResource } from "./stack.ts";
import type { Caller } from "./target.ts";

export interface RetainedResource {
  what: string;
  /** The commands that remove it. */
  commands: string[];
}

/** Undefined: there is nothing to remove. */
type Describe = (id: string) => RetainedResource | undefined;

const DESCRIPTIONS: Record<string, Describe> = {
  "AWS::DynamoDB::Table": (id) => ({
    what: `the table ${id} with the registry of all runs`,
    commands: [
      `aws dynamodb update-table --table-name ${id} --no-deletion-protection-enabled`,
      `aws dynamodb delete-table --table-name ${id}`,
    ],
  }),
  "AWS::S3::Bucket": (id) => ({ what: `the bucket ${id}`, commands: [emptying(id), `aws s3 rb s3://${id}`] }),
  "AWS::IAM::Role": (id) => ({
    what: `the role ${id}, with which API Gateway writes logs: shared by all APIs of the account and region`,
    commands: [
      `aws iam detach-role-policy --role-name ${id} --policy-arn arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs`,
      `aws iam delete-role --role-name ${id}   # only if no other API uses it`,
    ],
  }),
  "AWS::Logs::LogGroup": (id) => ({
    what: `the log group ${id} of image builds`,
    commands: [`aws logs delete-log-group --log-group-name ${id}`],
  }),
  "AWS::ApiGateway::Account": () => undefined,
};

export function retainedResources(resources: readonly StackResource[]): RetainedResource[] {
  const kept = resources.filter(({ kept, physicalId }) => kept && physicalId !== "");
  return kept.flatMap(({ type, physicalId }) => {
    const describe = DESCRIPTIONS[type] ?? ((id) => ({ what: `${type} ${id}`, commands: [] }));
    return describe(physicalId) ?? [];
  });
}

/** 1,000 versions at a time: the bucket keeps replaced and deleted objects for a week. */
const emptying = (bucket: string): string =>
  [
    `while V=$(aws s3api list-object-versions --bucket ${bucket} --max-items 1000 --output json`,
    "--query '{Objects: [Versions, DeleteMarkers][][].{Key: Key, VersionId: VersionId}}'); echo \"$V\" | grep -q VersionId;",
    `do aws s3api delete-objects --bucket ${bucket} --delete "$V" --output text > /dev/null; done`,
  ].join(" ");

/** CDK's own resources in the account. */
export const retainedBootstrap = ({ account, region }: Caller): RetainedResource => ({
  what: "CDK's own stack CDKToolkit, with copies of code and image: other CDK apps use it too",
  commands: [`npx cdk gc aws://${account}/${region} --unstable=gc   # deletes copies that no stack uses`],
});

export interface Deletion {
  keepsData: boolean;
  runs: number | undefined;
  resources: readonly StackResource[];
}

/** What to show before anything is deleted. */
export function deletionSummary({ keepsData, runs, resources }: Deletion): string[] {
  const deleted = resources.filter(({ kept }) => !kept).length;
  const many = runs === undefined ? "An unknown number of runs" : runs === 1 ? "1 run" : `${runs} runs`;
  return [
    `${deleted} of ${resources.length} resources are deleted: the API, all functions, the state machine, alarms, logs,`,
    "and the secret with the model server's key.",
    keepsData
      ? `${many}: kept, in the table and the bucket. Running ones stop where they are.`
      : `${many}: DELETED, with table and buckets. This cannot be undone.`,
    ...(resources.some(({ type }) => type === "AWS::EC2::SecurityGroup")
      ? ["Deleting the evaluator's network takes 20 to 40 minutes. It costs nothing meanwhile."]
      : []),
  ];
}

/** Buckets that are deleted with the stack, and so must be emptied before. */
export const bucketsToEmpty = (resources: readonly StackResource[]): string[] =>
  resources.filter(({ type, kept }) => type === "AWS::S3::Bucket" && !kept).map(({ physicalId }) => physicalId);

export const isDataRetained = (resources: readonly StackResource[]): boolean =>
  resources.some(({ type, kept }) => type === "AWS::DynamoDB::Table" && kept);
