/** A secret that the user sets after the stack is deployed, such as the key of the model server. */
import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Clock } from "../core/ports.ts";
import { explained, nameOf } from "./failures.ts";

export interface SecretReaderParts {
  client: SecretsManagerClient;
  secretId: string;
  clock: Pick<Clock, "now">;
}

/** A new key is used after at most this time. */
const KEPT_MS = 5 * 60_000;

/** The value of a secret that was deployed with a placeholder and is not set yet. */
export const NOT_SET = "not-set";

export function createSecretReader({ client, secretId, clock }: SecretReaderParts) {
  let kept: { value: string; until: number } | undefined;
  return {
    /** Undefined: not set. Not cached, so that a new value takes effect at once. */
    async read(): Promise<string | undefined> {
      if (kept && clock.now() < kept.until) return kept.value;
      const value = await explained(`the secret ${secretId}`, () => stored(client, secretId));
      kept = value === undefined ? undefined : { value, until: clock.now() + KEPT_MS };
      return value;
    },
  };
}

/** Keeps the key off the command line. */
export const setKeyCommand = (secretId: string): string =>
  `read -rs KEY && printf %s "$KEY" | aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string file:///dev/stdin`;

async function stored(client: SecretsManagerClient, SecretId: string): Promise<string | undefined> {
  try {
    const { SecretString = "" } = await client.send(new GetSecretValueCommand({ SecretId }));
    // Keys are often pasted with a line end.
    const value = SecretString.trim();
    return value === "" || value === NOT_SET ? undefined : value;
  } catch (error) {
    if (hasNoVersion(error)) return undefined;
    throw error;
  }
}

/** AWS uses one error name for a missing secret and for one without a value. */
const hasNoVersion = (error: unknown): boolean =>
  nameOf(error) === "ResourceNotFoundException" && error instanceof Error && /AWSCURRENT/.test(error.message);
