/** A secret that the user sets after the stack is deployed, such as the key of the model server. */
import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Clock } from "../core/ports.ts";
import { explained, nameOf } from "./failures.ts";

export interface SecretReaderParts {
  client: SecretsManagerClient;
  secretId: string;
  clock: Pick<Clock, "now">;
}

/** A new key is in use after this time at the latest. */
const KEPT_MS = 5 * 60_000;

/** What stands in a secret that was deployed with a text in it, until somebody sets it. */
export const NOT_SET = "not-set";

export function createSecretReader({ client, secretId, clock }: SecretReaderParts) {
  let kept: { value: string; until: number } | undefined;
  return {
    /** Undefined: not set. That is never kept: whoever sets it need not wait. */
    async read(): Promise<string | undefined> {
      if (kept && clock.now() < kept.until) return kept.value;
      const value = await explained(`the secret ${secretId}`, () => stored(client, secretId));
      kept = value === undefined ? undefined : { value, until: clock.now() + KEPT_MS };
      return value;
    },
  };
}

/** The key never stands on a command line. */
export const setKeyCommand = (secretId: string): string =>
  `read -rs KEY && printf %s "$KEY" | aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string file:///dev/stdin`;

async function stored(client: SecretsManagerClient, SecretId: string): Promise<string | undefined> {
  try {
    const { SecretString = "" } = await client.send(new GetSecretValueCommand({ SecretId }));
    // Keys are often pasted with the end of their line.
    const value = SecretString.trim();
    return value === "" || value === NOT_SET ? undefined : value;
  } catch (error) {
    if (hasNoVersion(error)) return undefined;
    throw error;
  }
}

/** AWS says the same name for a secret that is not there, and for one that never got a value. */
const hasNoVersion = (error: unknown): boolean =>
  nameOf(error) === "ResourceNotFoundException" && error instanceof Error && /AWSCURRENT/.test(error.message);
