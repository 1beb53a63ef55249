/** The registry's table, the file store's bucket, and the secret for the model server's key. */
import { CfnDeletionPolicy, Duration, RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { CfnSecret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { defined } from "../core/defined.ts";
import { acknowledge } from "./acknowledge.ts";
import type { CloudConfig } from "./config.ts";
import { customerKey } from "./customer-key.ts";

export interface Storage {
  table: Table;
  bucket: Bucket;
  modelKey: CfnSecret;
}

export function createStorage(scope: Construct, config: CloudConfig): Storage {
  const { keepData, wideIndexes, logRetentionDays } = config;
  const place = new Construct(scope, "Storage");
  const removalPolicy = keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  return {
    table: createTable(place, { removalPolicy, wideIndexes, key: customerKey(place, config) }),
    bucket: createBucket(place, { removalPolicy, logDays: logRetentionDays, key: customerKey(place, config) }),
    modelKey: createModelKey(place, config),
  };
}

const text = (name: string) => ({ name, type: AttributeType.STRING });

interface DataPolicy {
  removalPolicy: RemovalPolicy;
  key: IKey | undefined;
}

function createTable(
  place: Construct,
  { removalPolicy, wideIndexes, key }: DataPolicy & { wideIndexes: boolean },
): Table {
  const table = new Table(place, "Registry", {
    partitionKey: text("pk"),
    sortKey: text("sk"),
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: "expiresAt",
    ...(key
      ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }
      : { encryption: TableEncryption.DEFAULT }),
    deletionProtection: removalPolicy === RemovalPolicy.RETAIN,
    removalPolicy,
  });
  const index = (indexName: string, partition: string, sort: string) =>
    table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: text(partition),
      sortKey: text(sort),
      projectionType: wideIndexes ? ProjectionType.ALL : ProjectionType.KEYS_ONLY,
    });
  index("due", "activeShard", "dueAt");
  index("owner", "owner", "createdAt");
  return table;
}

function createBucket(place: Construct, kept: DataPolicy & { logDays: number }): Bucket {
  const closed = {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    removalPolicy: kept.removalPolicy,
  };
  const brokenUploads = { id: "broken-uploads", abortIncompleteMultipartUploadAfter: Duration.days(1) };
  // S3 delivers its logs to no bucket with a key of the customer.
  const accessLog = new Bucket(place, "AccessLog", {
    ...closed,
    lifecycleRules: [brokenUploads, { id: "old-lines", expiration: Duration.days(kept.logDays) }],
  });
  return new Bucket(place, "Files", {
    ...closed,
    // One request to KMS for many objects.
    ...(kept.key ? { encryption: BucketEncryption.KMS, encryptionKey: kept.key, bucketKeyEnabled: true } : {}),
    versioned: true,
    // The types of CDK do not allow an explicit undefined here.
    serverAccessLogsBucket: accessLog as IBucket,
    serverAccessLogsPrefix: "files/",
    // Runs never expire here. Replaced and deleted versions can be restored for a week.
    lifecycleRules: [
      brokenUploads,
      // Starting files are copied into the run when it is submitted.
      { id: "uploads", prefix: "uploads/", expiration: Duration.days(1) },
      { id: "replaced", noncurrentVersionExpiration: Duration.days(7), expiredObjectDeleteMarker: true },
    ],
  });
}

/** Without a value: the user sets it after the deployment, so no template contains it. */
function createModelKey(place: Construct, { kmsKeyArn }: CloudConfig): CfnSecret {
  const description = "The key of L2MAC's model server.";
  const secret = new CfnSecret(place, "ModelKey", { description, ...defined({ kmsKeyId: kmsKeyArn }) });
  secret.cfnOptions.deletionPolicy = CfnDeletionPolicy.DELETE;
  secret.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.DELETE;
  acknowledge(secret, "AwsSolutions-SMG4", "The key is issued by the model server's provider; AWS cannot rotate it.");
  return secret;
}
