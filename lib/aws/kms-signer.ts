/**
 * Signs manifests with a key of AWS KMS, whose private half never leaves it. KMS takes messages of up to 4,096 bytes, and a
 * manifest has more: its digest is sent. That rules out ed25519, which KMS signs only over the whole message.
 */
import { createHash, createPublicKey } from "node:crypto";
import { GetPublicKeyCommand, KMSClient, SignCommand } from "@aws-sdk/client-kms";
import { UserError } from "../core/errors.ts";
import type { ManifestSigner, PublicKey } from "../core/provenance/signer.ts";
import { type ClientSettings, SHORT_MS, within } from "./clients.ts";
import { nameOf, passes } from "./failures.ts";
import { createRetry, type RetryParts } from "./retry.ts";

/** One attempt: the signer retries by itself. */
export const kmsClient = (settings: ClientSettings = {}): KMSClient =>
  new KMSClient({ ...settings, maxAttempts: 1, requestHandler: within(SHORT_MS) });

export interface KmsSignerParts extends RetryParts {
  client: Pick<KMSClient, "send">;
  keyArn: string;
}

const SPEC = "ECC_NIST_P256";
const USAGE = "SIGN_VERIFY";

/** At most 90 seconds for each of two calls, GetPublicKey and Sign: then a finished run is delivered without a signature. */
const RETRIES = { tries: 8, firstMs: 250, mostMs: 10_000 };

export function createKmsSigner({ client, keyArn, ...waiting }: KmsSignerParts): ManifestSigner {
  const retry = createRetry(waiting, RETRIES);
  const asked = async <T>(action: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await retry(work, passes);
    } catch (error) {
      throw explained(error, action);
    }
  };
  let known: PublicKey | undefined;
  const publicKey = async (): Promise<PublicKey> => {
    const found = known ?? (await asked("kms:GetPublicKey", () => fetchPublicKey(client, keyArn)));
    known = found;
    return found;
  };
  return {
    publicKey,
    async sign(message) {
      const { keyid } = await publicKey();
      const command = new SignCommand({
        KeyId: keyArn,
        SigningAlgorithm: "ECDSA_SHA_256",
        MessageType: "DIGEST",
        Message: createHash("sha256").update(message).digest(),
      });
      const { Signature } = await asked("kms:Sign", () => client.send(command));
      if (!Signature) throw new Error("AWS KMS answered without a signature.");
      return { keyid, sig: Buffer.from(Signature).toString("base64") };
    },
  };
}

async function fetchPublicKey(client: KmsSignerParts["client"], KeyId: string): Promise<PublicKey> {
  const { PublicKey: der, KeySpec, KeyUsage } = await client.send(new GetPublicKeyCommand({ KeyId }));
  if (KeySpec !== SPEC || KeyUsage !== USAGE || !der)
    throw new UserError(`the key of "signing" is ${KeySpec} for ${KeyUsage}, and not ${SPEC} for ${USAGE}`, {
      exitCode: 3,
      remedy: 'Name such a key in "signing" of l2mac.cloud.json, or true there, and deploy again.',
    });
  const key = createPublicKey({ key: Buffer.from(der), format: "der", type: "spki" });
  return {
    keyid: createHash("sha256").update(der).digest("hex"),
    pem: key.export({ type: "spki", format: "pem" }).toString(),
  };
}

/** Names only: AWS's own message holds an account and a role, and this one goes to webhooks. */
function explained(error: unknown, action: string): unknown {
  if (error instanceof UserError) return error;
  const name = nameOf(error) || "unknown error";
  const [what, remedy] = WORDS[name] ?? (passes(error) ? LATE : REFUSED);
  return new UserError(`${what} (${action}: ${name})`, { exitCode: 3, remedy, cause: error });
}

type Words = [what: string, remedy: string];

const LATE: Words = ["AWS KMS did not answer in time", "Later runs are signed when it answers again."];
const REFUSED: Words = ["AWS KMS refused", "See what AWS KMS documents for this error."];
const WORDS: Record<string, Words> = {
  AccessDeniedException: [
    'AWS KMS does not let the stack use the key of "signing"',
    "Deploy the stack again; let the key's policy and your own policies allow what is named here.",
  ],
  DisabledException: ['the key of "signing" is disabled', "Enable the key in AWS KMS."],
  KMSInvalidStateException: [
    'the key of "signing" cannot be used in its present state',
    "Cancel its deletion and enable it in AWS KMS, or name another key.",
  ],
  NotFoundException: ['there is no key of "signing"', "Name another key in l2mac.cloud.json, and deploy again."],
};
