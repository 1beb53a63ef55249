/** The SDK clients of the adapters: every request has a time-out, and retries fit into an invocation. */
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SFNClient } from "@aws-sdk/client-sfn";
import { EVALUATOR_ANSWER_MS } from "../core/limits.ts";

/** Absent: as the SDK finds them. */
export type ClientSettings = Pick<DynamoDBClientConfig, "region" | "endpoint" | "credentials">;

/** One attempt: the table adapter retries by itself. */
export const dynamoClient = (settings: ClientSettings = {}): DynamoDBClient =>
  new DynamoDBClient({ ...settings, maxAttempts: 1, requestHandler: within(SHORT_MS) });

export const s3Client = (settings: ClientSettings = {}): S3Client =>
  new S3Client({ ...settings, maxAttempts: ATTEMPTS, requestHandler: within(MEGABYTES_MS) });

/** For presigned URLs only: they are signed before the bytes exist, so no checksum may be signed with them. */
export const linkClient = (settings: ClientSettings = {}): S3Client =>
  new S3Client({ ...settings, requestChecksumCalculation: "WHEN_REQUIRED" });

/** One attempt: a retry could start a second evaluation while the first still runs. */
export const lambdaClient = (settings: ClientSettings = {}): LambdaClient =>
  new LambdaClient({ ...settings, maxAttempts: 1, requestHandler: within(EVALUATOR_ANSWER_MS) });

export const sfnClient = (settings: ClientSettings = {}): SFNClient =>
  new SFNClient({ ...settings, maxAttempts: ATTEMPTS, requestHandler: within(SHORT_MS) });

export const secretsClient = (settings: ClientSettings = {}): SecretsManagerClient =>
  new SecretsManagerClient({ ...settings, maxAttempts: ATTEMPTS, requestHandler: within(SHORT_MS) });

export const eventsClient = (settings: ClientSettings = {}): EventBridgeClient =>
  new EventBridgeClient({ ...settings, maxAttempts: ATTEMPTS, requestHandler: within(SHORT_MS) });

const ATTEMPTS = 4;
const CONNECTION_MS = 3_000;
export const SHORT_MS = 5_000;
/** A pack has at most a few megabytes. */
const MEGABYTES_MS = 30_000;

/** The request time-out ends with the first byte of the response; after that the socket time-out applies. */
export const within = (milliseconds: number) => ({
  connectionTimeout: CONNECTION_MS,
  requestTimeout: milliseconds,
  // Otherwise the SDK only logs the time-out.
  throwOnRequestTimeout: true,
  socketTimeout: milliseconds,
});
