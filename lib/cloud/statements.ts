/** The permissions of the functions: exact actions on exact resources, without wildcards in actions. */
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Storage } from "./storage.ts";

export const allow = (actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions, resources });

/** A transaction needs the actions of its items. */
export const TABLE_ACTIONS = {
  read: ["dynamodb:GetItem", "dynamodb:Query"],
  write: ["dynamodb:PutItem", "dynamodb:UpdateItem"],
  check: ["dynamodb:ConditionCheckItem"],
  delete: ["dynamodb:DeleteItem"],
};

export const onTable = ({ table }: Storage, ...actions: string[]): PolicyStatement => allow(actions, table.tableArn);

export const onIndex = ({ table }: Storage, index: string): PolicyStatement =>
  allow(["dynamodb:Query"], `${table.tableArn}/index/${index}`);

export const onRuns = ({ bucket }: Storage, ...actions: string[]): PolicyStatement =>
  allow(actions, bucket.arnForObjects("runs/*"));

export const onUploads = ({ bucket }: Storage, ...actions: string[]): PolicyStatement =>
  allow(actions, bucket.arnForObjects("uploads/*"));

/** Named programs. */
export const onPrograms = ({ bucket }: Storage, ...actions: string[]): PolicyStatement =>
  allow(actions, bucket.arnForObjects("programs/*"));

/** S3 reports a missing key only to callers that may list. No prefix condition: a read has none. */
export const listing = ({ bucket }: Storage): PolicyStatement => allow(["s3:ListBucket"], bucket.bucketArn);

/** The files of a run, for functions that delete runs. */
export const listingRuns = ({ bucket }: Storage): PolicyStatement =>
  new PolicyStatement({
    effect: Effect.ALLOW,
    actions: ["s3:ListBucket"],
    resources: [bucket.bucketArn],
    conditions: { StringLike: { "s3:prefix": "runs/*" } },
  });

export const readingKey = ({ modelKey }: Storage): PolicyStatement =>
  allow(["secretsmanager:GetSecretValue"], modelKey.ref);
