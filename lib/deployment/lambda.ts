/** What Lambda knows of the evaluator's function, and of how much may run at once in the account. */
import type { Place } from "./chosen.ts";
import { clientConfig } from "./client-config.ts";
import { asking, type Told } from "./told.ts";

export interface FunctionFacts {
  state: string;
  reasonCode: string;
  reason: string;
  lastUpdate: string;
  lastUpdateReason: string;
  architecture: string;
  inVpc: boolean;
  perTenant: boolean;
}

export const describeFunction = (place: Place, FunctionName: string): Promise<Told<FunctionFacts>> =>
  asking(async () => {
    const { GetFunctionCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
    const client = new LambdaClient(clientConfig(place));
    const { Configuration: found = {} } = await client.send(new GetFunctionCommand({ FunctionName }));
    return {
      state: found.State ?? "Active",
      reasonCode: found.StateReasonCode ?? "",
      reason: found.StateReason ?? "",
      lastUpdate: found.LastUpdateStatus ?? "Successful",
      lastUpdateReason: found.LastUpdateStatusReason ?? "",
      architecture: found.Architectures?.[0] ?? "x86_64",
      inVpc: (found.VpcConfig?.SubnetIds ?? []).length > 0,
      perTenant: found.TenancyConfig?.TenantIsolationMode === "PER_TENANT",
    };
  });

export interface Concurrency {
  whole: number;
  unreserved: number;
}

export const findConcurrency = (place: Place): Promise<Told<Concurrency>> =>
  asking(async () => {
    const { GetAccountSettingsCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
    const client = new LambdaClient(clientConfig(place));
    const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}));
    return {
      whole: AccountLimit.ConcurrentExecutions ?? 0,
      unreserved: AccountLimit.UnreservedConcurrentExecutions ?? 0,
    };
  });
