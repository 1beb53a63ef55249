/** The secret with the model server's key: checks whether it has a value, and stores one. The value is never read here. */
import { type AwsResult, askAws } from "./aws-result.ts";
import { clientConfig, type Target } from "./target.ts";

export const isKeySet = (target: Target, SecretId: string): Promise<AwsResult<boolean>> =>
  askAws(async () => {
    const { DescribeSecretCommand, SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
    const client = new SecretsManagerClient(clientConfig(target));
    const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
    return Object.values(VersionIdsToStages).some((stages) => stages.includes("AWSCURRENT"));
  });

/** The key goes from this process to AWS and nowhere else. */
export const storeKey = (target: Target, secret: { id: string; key: string }): Promise<AwsResult<undefined>> =>
  askAws(async () => {
    const { PutSecretValueCommand, SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
    const client = new SecretsManagerClient(clientConfig(target));
    await client.send(new PutSecretValueCommand({ SecretId: secret.id, SecretString: secret.key }));
    return undefined;
  });

const KEY_CHARS = 8_192;

/** Reads a typed or pasted key; an empty one is undefined. Pure. */
export function readKey(text: string): { key: string | undefined } | { problem: string } {
  const key = text.trim();
  if (key === "") return { key: undefined };
  if (!/^[\x21-\x7e]+$/.test(key)) return { problem: "it has spaces, line ends or other characters that no key has" };
  return key.length > KEY_CHARS ? { problem: `it is longer than ${KEY_CHARS} characters` } : { key };
}
