/** Creates the template's table and bucket in the emulators. */
import { CreateTableCommand, type CreateTableCommandInput, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, type S3Client } from "@aws-sdk/client-s3";
import { type ClientSettings, dynamoClient, s3Client } from "../../../lib/aws/clients.ts";
import { dynoxide, moto } from "../emulators/emulators.ts";
import type { DeployedResource, Deployment } from "../parts.ts";

export interface Storage {
  /** Where the proxy leads to. */
  upstreams: { dynamodb: string; s3: string };
  /** Past the proxy: for faults, and to look. */
  dynamo: DynamoDBClient;
  s3: S3Client;
  tableName: string;
  bucketName: string;
  stop(): Promise<void>;
}

export async function openStorage(deployed: Deployment): Promise<Storage> {
  const [table, bucket] = [only(deployed, "AWS::DynamoDB::Table"), filesOf(deployed)];
  const running = await Promise.all([dynoxide.start(), moto.start()]);
  const [dynamodb, storing] = running.map(({ endpoint }) => endpoint) as [string, string];
  const at = (endpoint: string): ClientSettings => ({ endpoint, region: deployed.region, credentials: OUTSIDE });
  const [dynamo, s3] = [dynamoClient(at(dynamodb)), s3Client(at(storing))];
  await createTable(dynamo, table);
  await s3.send(new CreateBucketCommand({ Bucket: bucket.ref }));
  return {
    upstreams: { dynamodb, s3: storing },
    ...{ dynamo, s3, tableName: table.ref, bucketName: bucket.ref },
    stop: async () => void (await Promise.all(running.map((each) => each.stop()))),
  };
}

/** For the emulators, which accept any credentials. */
const OUTSIDE = { accessKeyId: "outside", secretAccessKey: "outside" };

export function only(deployed: Deployment, type: string): DeployedResource {
  const [found, ...others] = Object.values(deployed.resources).filter((resource) => resource.type === type);
  if (!found || others.length > 0) throw new Error(`The template has not exactly one ${type}.`);
  return found;
}

/** There is another one for its access log. */
function filesOf({ resources, outputs }: Deployment): DeployedResource {
  const found = Object.values(resources).find(({ type, ref }) => type === "AWS::S3::Bucket" && ref === outputs.Bucket);
  if (!found) throw new Error("The output Bucket names no bucket of the template.");
  return found;
}

const createTable = (dynamo: DynamoDBClient, { ref, properties }: DeployedResource) => {
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode } = properties;
  const declared = { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode };
  return dynamo.send(new CreateTableCommand({ TableName: ref, ...declared } as CreateTableCommandInput));
};
