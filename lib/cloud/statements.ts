/** The permissions of the functions as statements. */
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { STORAGE_ACCESS, type StorageAccess } from "./access/storage-access.ts";
import type { Storage } from "./storage.ts";

export const allow = (actions: readonly string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources });

/** The part of a function in the table of accesses. */
export function accessOf(name: keyof typeof STORAGE_ACCESS, { table, bucket }: Storage): PolicyStatement[] {
  const { table: actions, index, files, lists }: StorageAccess = STORAGE_ACCESS[name];
  return [
    allow(actions, table.tableArn),
    ...(index === undefined ? [] : [allow(["dynamodb:Query"], `${table.tableArn}/index/${index}`)]),
    ...Object.entries(files).map(([place, each]) => allow(each, bucket.arnForObjects(`${place}/*`))),
    ...(lists === undefined ? [] : [listing(bucket.bucketArn, lists)]),
  ];
}

const listing = (bucket: string, what: NonNullable<StorageAccess["lists"]>): PolicyStatement =>
  new PolicyStatement({
    effect: Effect.ALLOW,
    actions: ["s3:ListBucket"],
    resources: [bucket],
    ...(what === "runs" ? { conditions: { StringLike: { "s3:prefix": "runs/*" } } } : {}),
  });

export const readingKey = ({ modelKey }: Storage): PolicyStatement =>
  allow(["secretsmanager:GetSecretValue"], modelKey.ref);
