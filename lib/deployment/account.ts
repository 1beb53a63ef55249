/** The account: who calls, with which credentials, and how many functions may run at once. */
import { UserError } from "../core/errors.ts";
import { type AwsResult, askAws } from "./aws-result.ts";
import { type Caller, clientConfig, type Target } from "./target.ts";

export const findCaller = (target: Target): Promise<AwsResult<Caller>> =>
  askAws(async () => {
    const { GetCallerIdentityCommand, STSClient } = await import("@aws-sdk/client-sts");
    const client = new STSClient(clientConfig(target));
    // The region first: the SDK's error about a missing region is clearer than the errors that follow from it.
    const region = await client.config.region();
    const { Account: account = "", Arn: arn = "" } = await client.send(new GetCallerIdentityCommand({}));
    return { account, arn, region };
  });

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Provides credentials for signing requests; the SDK renews them, so call it for each request. */
export function createCredentialProvider(target: Target) {
  let find: (() => Promise<Credentials>) | undefined;
  return async (): Promise<Credentials> => {
    const { STSClient } = await import("@aws-sdk/client-sts");
    find ??= new STSClient(clientConfig(target)).config.credentials;
    const found = await askAws(find);
    if ("value" in found) return found.value;
    const { reason, remedy } = found.refusal;
    throw new UserError(`No request can be signed: ${reason}.`, { exitCode: 3, remedy });
  };
}

export interface Concurrency {
  whole: number;
  unreserved: number;
}

export const findConcurrency = (target: Target): Promise<AwsResult<Concurrency>> =>
  askAws(async () => {
    const { GetAccountSettingsCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
    const client = new LambdaClient(clientConfig(target));
    const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}));
    return {
      whole: AccountLimit.ConcurrentExecutions ?? 0,
      unreserved: AccountLimit.UnreservedConcurrentExecutions ?? 0,
    };
  });
