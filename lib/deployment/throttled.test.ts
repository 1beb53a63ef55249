/** What no emulator simulates: expired credentials, throttling, and quotas. */
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { mockClient } from "aws-sdk-client-mock";
import { expect, it } from "vitest";
import { findCaller, findConcurrency } from "./account.ts";
import { bootstrapVersion } from "./stack.ts";

const target = { region: "eu-west-1" };
const error = (name: string, message: string) => Object.assign(new Error(message), { name });

it("reports expired credentials as expired", async () => {
  const sts = mockClient(STSClient);
  sts.on(GetCallerIdentityCommand).rejects(error("ExpiredTokenException", "The security token is expired"));
  const remedy = expect.stringMatching(/^Sign in again/);
  expect(await findCaller(target)).toEqual({ refusal: { reason: "The security token is expired", remedy } });
  sts.restore();
});

it("does not take a throttled request for a missing bootstrap", async () => {
  const stacks = mockClient(CloudFormationClient);
  stacks.on(DescribeStacksCommand).rejects(error("ThrottlingException", "Rate exceeded"));
  expect(await bootstrapVersion(target)).toHaveProperty("refusal");
  stacks.on(DescribeStacksCommand).rejects(error("ValidationError", "Stack with id CDKToolkit does not exist"));
  expect(await bootstrapVersion(target)).toEqual({ value: undefined });
  stacks.restore();
});

it("reads quotas as Lambda returns them", async () => {
  const lambda = mockClient(LambdaClient);
  const AccountLimit = { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 };
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit });
  expect(await findConcurrency(target)).toEqual({ value: { whole: 10, unreserved: 10 } });
  lambda.restore();
});
