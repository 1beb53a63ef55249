/** The signer of a stack, with a client of AWS KMS whose key is in this process. */
import { generateKeyPairSync } from "node:crypto";
import { createKmsSigner, type KmsSignerParts } from "../../lib/aws/kms-signer.ts";
import type { ManifestSigner } from "../../lib/core/provenance/signer.ts";
import { signDigest } from "./sign-digest.ts";

export interface SentCommand {
  name: string;
  input: Record<string, unknown>;
}

export interface KmsDouble {
  /** What was asked of the client, in order. */
  sent?: SentCommand[];
  /** Each is the answer to one request; then the key answers. */
  troubles?: Error[];
  /** Another answer to GetPublicKey, field by field. */
  described?: object;
  sleep?: (milliseconds: number) => Promise<void>;
}

export const KMS_KEY = "arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const DESCRIBED = {
  ...{ KeySpec: "ECC_NIST_P256", KeyUsage: "SIGN_VERIFY" },
  PublicKey: new Uint8Array(publicKey.export({ type: "spki", format: "der" })),
};

export function createKmsDouble({
  sent = [],
  troubles = [],
  described,
  sleep = async () => {},
}: KmsDouble): ManifestSigner {
  const client = {
    async send({ constructor: { name }, input }: Pick<SentCommand, "input">) {
      sent.push({ name, input });
      const trouble = troubles.shift();
      if (trouble) throw trouble;
      if (name === "GetPublicKeyCommand") return { ...DESCRIBED, ...described };
      return { Signature: new Uint8Array(signDigest(input.Message as Uint8Array, privateKey)) };
    },
  } as unknown as KmsSignerParts["client"];
  return createKmsSigner({ client, keyArn: KMS_KEY, clock: { now: () => 0, steady: () => 0, sleep }, random: () => 1 });
}

export const openKmsSigner = (): ManifestSigner => createKmsDouble({});
