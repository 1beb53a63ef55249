import { describe, expect, it } from "vitest";
import { EVALUATOR_ANSWER_MS } from "../core/limits.ts";
import { dynamoClient, lambdaClient, s3Client, secretsClient, sfnClient } from "./clients.ts";

const place = { region: "us-east-1" };
const clients = {
  DynamoDB: dynamoClient(place),
  S3: s3Client(place),
  Lambda: lambdaClient(place),
  "Step Functions": sfnClient(place),
  "Secrets Manager": secretsClient(place),
};

describe.each(Object.entries(clients))("the client of %s", (_, { config }) => {
  it("ends every wait with an error", async () => {
    const handler = config.requestHandler as { configProvider?: Promise<Record<string, unknown>> };
    const limits = await handler.configProvider;
    expect(limits?.throwOnRequestTimeout).toBe(true);
    for (const limit of ["connectionTimeout", "requestTimeout", "socketTimeout"]) {
      expect(limits?.[limit]).toBeGreaterThan(0);
      expect(limits?.[limit]).toBeLessThanOrEqual(EVALUATOR_ANSWER_MS);
    }
  });

  it("tries a bounded number of times", async () => {
    expect(await config.maxAttempts()).toBeLessThanOrEqual(4);
  });
});

it("neither a transaction nor an evaluation is repeated behind our back", async () => {
  expect(await clients.DynamoDB.config.maxAttempts()).toBe(1);
  expect(await clients.Lambda.config.maxAttempts()).toBe(1);
});
