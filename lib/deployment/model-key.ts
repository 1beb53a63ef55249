/** The secret that holds the model server's key: whether it has a value, and giving it one. The value is never read here. */
import type { Place } from "./chosen.ts";
import { clientConfig } from "./client-config.ts";
import { asking, type Told } from "./told.ts";

export const isKeySet = (place: Place, SecretId: string): Promise<Told<boolean>> =>
  asking(async () => {
    const { DescribeSecretCommand, SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
    const client = new SecretsManagerClient(clientConfig(place));
    const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
    return Object.values(VersionIdsToStages).some((stages) => stages.includes("AWSCURRENT"));
  });

/** The key goes from this process to AWS and nowhere else. */
export const storeKey = (place: Place, secret: { id: string; key: string }): Promise<Told<undefined>> =>
  asking(async () => {
    const { PutSecretValueCommand, SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
    const client = new SecretsManagerClient(clientConfig(place));
    await client.send(new PutSecretValueCommand({ SecretId: secret.id, SecretString: secret.key }));
    return undefined;
  });

const KEY_CHARS = 8_192;

/** What was typed or pasted as a key; or why it can be none. Pure. */
export function readKey(given: string): { key: string | undefined } | { problem: string } {
  const key = given.trim();
  if (key === "") return { key: undefined };
  if (!/^[\x21-\x7e]+$/.test(key)) return { problem: "it has spaces, line ends or other characters that no key has" };
  return key.length > KEY_CHARS ? { problem: `it is longer than ${KEY_CHARS} characters` } : { key };
}
