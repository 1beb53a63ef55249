/** Whose credentials are found, and for which region. */
import { UserError } from "../core/errors.ts";
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

/** For whoever signs requests with them: asked each time, as they are renewed. */
export function credentialsOf(place: Place) {
  let find: (() => Promise<Credentials>) | undefined;
  return async (): Promise<Credentials> => {
    const { STSClient } = await import("@aws-sdk/client-sts");
    find ??= new STSClient(clientConfig(place)).config.credentials;
    const found = await asking(find);
    if ("told" in found) return found.told;
    const { says, remedy } = found.refusal;
    throw new UserError(`No request can be signed: ${says}.`, { exitCode: 3, remedy });
  };
}

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}
