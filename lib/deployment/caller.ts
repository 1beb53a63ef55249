/** Whose credentials are found, and for which region. */
import type { Caller, Place } from "./chosen.ts";
import { clientConfig } from "./client-config.ts";
import { asking, type Told } from "./told.ts";

export const findCaller = (place: Place): Promise<Told<Caller>> =>
  asking(async () => {
    const { GetCallerIdentityCommand, STSClient } = await import("@aws-sdk/client-sts");
    const client = new STSClient(clientConfig(place));
    // The region first: the SDK's complaint about a missing one is clearer than what follows from it.
    const region = await client.config.region();
    const { Account: account = "", Arn: arn = "" } = await client.send(new GetCallerIdentityCommand({}));
    return { account, arn, region };
  });

/** For whoever signs requests with them. */
export async function credentialsOf(place: Place) {
  const { STSClient } = await import("@aws-sdk/client-sts");
  return new STSClient(clientConfig(place)).config.credentials;
}
