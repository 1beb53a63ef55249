import { expect, it } from "vitest";
import { refusalOf } from "./aws-result.ts";
import { remedyFor } from "./error-remedies.ts";

const failed = (type: string, why: string): string =>
  `L2mac |  41/97 | 10:02:11 AM | CREATE_FAILED        | ${type} | Evaluator/Function (Ev1) Resource handler returned message: "${why}" (RequestToken: 1, HandlerErrorCode: InvalidRequest)`;

it.each([
  [failed("AWS::Lambda::Function", "extraneous key [TenancyConfig] is not permitted"), /"tenants": false/],
  [failed("AWS::EC2::VPC", "The maximum number of VPCs has been reached."), /"vpc": false/],
  ["EniLimitExceeded The account's limit for network interfaces was reached", /L-F678F1CE/],
  [failed("AWS::Lambda::Function", "'MemorySize' must be less than or equal to 3008"), /"memoryMb": 3008/],
  [
    failed("AWS::Lambda::Function", "Specified ReservedConcurrentExecutions decreases the account's below [10]."),
    /"reservedConcurrency"/,
  ],
  [failed("AWS::DynamoDB::Table", "Cannot update GSI's properties"), /"wideIndexes": true/],
  ["Runtime.InvalidEntrypoint ProcessSpawnFailed", /"evaluator\.architecture"/],
  ["AccountLimitExceededException: Cannot have more than 0 builds in queue", /Concurrently running builds/],
  [failed("Custom::EvaluatorImage", "The build failed in the phase BUILD. Its log: https://x"), /^Read the log/],
  [failed("AWS::CloudWatch::Dashboard", "Dashboard 'L2mac-eu-west-1' already exists"), /"stackName"/],
  ["KMSAccessDeniedException: no", /#a-key-of-your-own/],
  ["DELETE_FAILED | AWS::EC2::SecurityGroup | resource sg-0abc has a dependent object", /40 minutes/],
])("%s has a remedy", (said, remedy) => {
  expect(remedyFor(said)).toMatch(remedy);
});

it("an error without a code that is known has none", () => {
  expect(remedyFor("The role defined for the function cannot be assumed by Lambda.")).toBeUndefined();
});

const error = (name: string, message: string) => Object.assign(new Error(message), { name });

it.each([
  [error("ExpiredTokenException", "The security token included in the request is expired"), /^Sign in again/],
  [error("CredentialsProviderError", "Could not load credentials from any providers"), /--profile/],
  [error("Error", "Region is missing"), /--region/],
  [error("ThrottlingException", "Rate exceeded"), /minute/],
  [error("AccessDenied", "User is not authorized to perform: sts:X"), /docs\/deploy\.md/],
  [Object.assign(error("Error", "connect failed"), { code: "ECONNREFUSED" }), /network/],
  [error("ValidationException", "1 validation error"), /^Try again\.$/],
])("a refusal gives what AWS says, and a remedy by its code: %s", (thrown, remedy) => {
  expect(refusalOf(thrown)).toEqual({ reason: thrown.message, remedy: expect.stringMatching(remedy) });
});
