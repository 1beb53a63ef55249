/** How the adapters speak to AWS: every wait has an end, and nobody tries longer than an invocation can bear. */
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SFNClient } from "@aws-sdk/client-sfn";
import { EVALUATOR_ANSWER_MS } from "../core/limits.ts";

/** Absent: as the SDK finds them. */
export type Place = Pick<DynamoDBClientConfig, "region" | "endpoint" | "credentials">;

/** One attempt: the table itself knows what may be asked again, and how. */
export const dynamoClient = (place: Place = {}): DynamoDBClient =>
  new DynamoDBClient({ ...place, maxAttempts: 1, requestHandler: within(SHORT_MS) });

export const s3Client = (place: Place = {}): S3Client =>
  new S3Client({ ...place, maxAttempts: ATTEMPTS, requestHandler: within(MEGABYTES_MS) });

/** For links alone. Whoever signs one has no bytes yet: the checksum of nothing must not be signed with it. */
export const linkClient = (place: Place = {}): S3Client =>
  new S3Client({ ...place, requestChecksumCalculation: "WHEN_REQUIRED" });

/** One attempt: an evaluation that perhaps runs already is not started beside itself. */
export const lambdaClient = (place: Place = {}): LambdaClient =>
  new LambdaClient({ ...place, maxAttempts: 1, requestHandler: within(EVALUATOR_ANSWER_MS) });

export const sfnClient = (place: Place = {}): SFNClient =>
  new SFNClient({ ...place, maxAttempts: ATTEMPTS, requestHandler: within(SHORT_MS) });

export const secretsClient = (place: Place = {}): SecretsManagerClient =>
  new SecretsManagerClient({ ...place, maxAttempts: ATTEMPTS, requestHandler: within(SHORT_MS) });

const ATTEMPTS = 4;
const CONNECTION_MS = 3_000;
const SHORT_MS = 5_000;
/** A pack has at most a few megabytes. */
const MEGABYTES_MS = 30_000;

/** The request's time ends when the answer begins; from then on the socket must not fall silent. */
const within = (milliseconds: number) => ({
  connectionTimeout: CONNECTION_MS,
  requestTimeout: milliseconds,
  // Without this the SDK would only log that the time is over.
  throwOnRequestTimeout: true,
  socketTimeout: milliseconds,
});
