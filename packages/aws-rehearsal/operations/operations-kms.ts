/** What a request to AWS KMS needs: the action on the key, which is named by its ARN, with how it is to sign. Pure. */
import { isProblem, type ReadOperation, readTarget, unknownOperation } from "./operation.ts";

const PLAYED = new Set(["GetPublicKey", "Sign"]);

export const kmsOperation: ReadOperation = (request) => {
  const read = readTarget(request, "TrentService");
  if (isProblem(read)) return read;
  const { name, input } = read;
  const { KeyId, SigningAlgorithm, MessageType } = input;
  if (!PLAYED.has(name) || typeof KeyId !== "string" || !KeyId.startsWith("arn:"))
    return unknownOperation(`${name} of AWS KMS, with ${Object.keys(input)}`);
  const context =
    name === "Sign"
      ? { "kms:signingalgorithm": String(SigningAlgorithm), "kms:messagetype": String(MessageType) }
      : undefined;
  const about = KeyId.split("/").at(-1) ?? "";
  return { name, about, asks: [{ action: `kms:${name}`, resource: KeyId, ...(context ? { context } : {}) }] };
};
