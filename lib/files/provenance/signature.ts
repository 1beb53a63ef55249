/** Checks the signature of a manifest against a public key: ed25519, or ECDSA as AWS KMS signs. */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import { type Envelope, PAYLOAD_TYPE, payloadIn, signedBytes } from "../../core/provenance/envelope.ts";
import { keyIdOf } from "../../host/signing-key.ts";
import { codeOf, explainFile } from "../../host/storage-errors.ts";

/** `unknown`: signed by a key that is not here, so that only the hashes can be checked. */
export type SignatureStatus = "valid" | "invalid" | "unknown" | "absent";

export interface CheckedSignature {
  status: SignatureStatus;
  /** Of the key that is used, or that signed. */
  keyid?: string;
}

export interface TrustedKey {
  key: KeyObject;
  /** The user named this key: what another one signed is wrong. */
  isRequired: boolean;
}

export function checkSignature(envelope: Envelope, trusted: TrustedKey | undefined): CheckedSignature {
  const [first] = envelope.signatures;
  if (!first) return { status: trusted?.isRequired ? "invalid" : "absent" };
  if (!trusted) return { status: "unknown", keyid: first.keyid };
  const keyid = keyIdOf(trusted.key);
  // What a signature says of its key is not signed: only the key itself tells.
  if (isSignedBy(trusted.key, envelope)) return { status: "valid", keyid };
  const isOwn = trusted.isRequired || envelope.signatures.some((each) => each.keyid === keyid);
  return isOwn ? { status: "invalid", keyid } : { status: "unknown", keyid: first.keyid };
}

function isSignedBy(key: KeyObject, envelope: Envelope): boolean {
  if (envelope.payloadType !== PAYLOAD_TYPE) return false;
  const message = signedBytes(envelope.payloadType, payloadIn(envelope));
  const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  return envelope.signatures.some(({ sig }) => {
    try {
      return verify(digest, message, key, Buffer.from(sig, "base64"));
    } catch {
      return false;
    }
  });
}

const KEY_BYTES = 100_000;

export function readPublicKey(path: string): KeyObject {
  let text: Buffer;
  try {
    text = readFileSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR" || codeOf(error) === "EISDIR")
      throw new UserError(`There is no file ${path} with a key.`, {
        exitCode: 2,
        remedy: "Name the file of a public key, as l2mac key show writes it.",
      });
    throw explainFile(error, path);
  }
  try {
    if (text.length > KEY_BYTES) throw new Error("It is too large for a key.");
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === "ed25519" || key.asymmetricKeyType === "ec") return key;
  } catch {
    // Said below, for both.
  }
  throw new UserError(`--key ${path} is no public key in PEM, of ed25519 or ECDSA.`, {
    exitCode: 2,
    remedy: { command: "key", args: ["show"], note: "on the computer that signed prints its public key" },
  });
}
