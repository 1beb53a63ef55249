/** What no emulator does: credentials that expire, throttles, and quotas. */
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { mockClient } from "aws-sdk-client-mock";
import { expect, it } from "vitest";
import { findCaller } from "./caller.ts";
import { findConcurrency } from "./lambda.ts";
import { bootstrapVersion } from "./stack.ts";

const place = { region: "eu-west-1" };
const error = (name: string, message: string) => Object.assign(new Error(message), { name });

it("credentials that have expired are said to have", async () => {
  const sts = mockClient(STSClient);
  sts.on(GetCallerIdentityCommand).rejects(error("ExpiredTokenException", "The security token is expired"));
  expect(await findCaller(place)).toMatchObject({ refusal: { says: expect.stringContaining("have expired") } });
  sts.restore();
});

it("a throttled question is not an answer: no bootstrap is taken for missing", async () => {
  const stacks = mockClient(CloudFormationClient);
  stacks.on(DescribeStacksCommand).rejects(error("ThrottlingException", "Rate exceeded"));
  expect(await bootstrapVersion(place)).toHaveProperty("refusal");
  stacks.on(DescribeStacksCommand).rejects(error("ValidationError", "Stack with id CDKToolkit does not exist"));
  expect(await bootstrapVersion(place)).toEqual({ told: undefined });
  stacks.restore();
});

it("quotas are read as Lambda tells them", async () => {
  const lambda = mockClient(LambdaClient);
  const AccountLimit = { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 };
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit });
  expect(await findConcurrency(place)).toEqual({ told: { whole: 10, unreserved: 10 } });
  lambda.restore();
});
