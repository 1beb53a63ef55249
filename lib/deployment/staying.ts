/** What outlives a stack, and how it is removed for good. Pure. */
import type { Caller } from "./chosen.ts";
import type { StackResource } from "./stack.ts";

export interface Staying {
  what: string;
  /** What to type to remove it; more than one line where one does not do. */
  commands: string[];
}

/** Undefined: it has nothing of its own that could be removed. */
type Describe = (id: string) => Staying | undefined;

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
    what: `the role ${id}, with which API Gateway writes logs: one for all APIs of the account and region`,
    commands: [
      `aws iam detach-role-policy --role-name ${id} --policy-arn arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs`,
      `aws iam delete-role --role-name ${id}   # only where no other API logs with it`,
    ],
  }),
  "AWS::ApiGateway::Account": () => undefined,
};

export function stayingOf(resources: readonly StackResource[]): Staying[] {
  const kept = resources.filter(({ kept, physicalId }) => kept && physicalId !== "");
  return kept.flatMap(({ type, physicalId }) => {
    const describe = DESCRIPTIONS[type] ?? ((id) => ({ what: `${type} ${id}`, commands: [] }));
    const staying = describe(physicalId);
    return staying ? [staying] : [];
  });
}

/** A thousand versions at once: the bucket keeps what was replaced and deleted for a week. */
const emptying = (bucket: string): string =>
  [
    `while V=$(aws s3api list-object-versions --bucket ${bucket} --max-items 1000 --output json`,
    "--query '{Objects: [Versions, DeleteMarkers][][].{Key: Key, VersionId: VersionId}}'); echo \"$V\" | grep -q VersionId;",
    `do aws s3api delete-objects --bucket ${bucket} --delete "$V" --output text > /dev/null; done`,
  ].join(" ");

/** Of what CDK itself has in the account. */
export const bootstrapStaying = ({ account, region }: Caller): Staying => ({
  what: "CDK's own stack CDKToolkit with copies of code and image: other CDK apps need it too",
  commands: [`npx cdk gc aws://${account}/${region} --unstable=gc   # deletes copies that no stack uses`],
});

export interface Going {
  keptHere: boolean;
  runs: number | undefined;
  resources: readonly StackResource[];
}

const SLOW_TYPES = "AWS::EC2::SecurityGroup";

/** What is said before anything is deleted. */
export function whatGoes({ keptHere, runs, resources }: Going): string[] {
  const goes = resources.filter(({ kept }) => !kept).length;
  const many = runs === undefined ? "An unknown number of runs" : runs === 1 ? "1 run" : `${runs} runs`;
  return [
    `${goes} of ${resources.length} resources are deleted: the API, all functions, the state machine, alarms, logs,`,
    "and the secret with the model server's key.",
    keptHere
      ? `${many}: kept, in the table and the bucket. Runs that are being computed stop where they are.`
      : `${many}: DELETED, table and buckets too. Nothing brings them back.`,
    ...(resources.some(({ type }) => type === SLOW_TYPES)
      ? ["The evaluator's network goes slowly: 20 to 40 minutes. Nothing is charged for it meanwhile."]
      : []),
  ];
}

/** Buckets that go with the stack, and therefore must be empty before. */
export const bucketsToEmpty = (resources: readonly StackResource[]): string[] =>
  resources.filter(({ type, kept }) => type === "AWS::S3::Bucket" && !kept).map(({ physicalId }) => physicalId);

export const keepsData = (resources: readonly StackResource[]): boolean =>
  resources.some(({ type, kept }) => type === "AWS::DynamoDB::Table" && kept);
