/** AWS KMS's Sign and GetPublicKey, for the template's keys, with true keys. Signature and permission were checked before. */
import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult } from "node:crypto";
import { z } from "zod";
import { signDigest } from "../../../test/doubles/sign-digest.ts";
import type { DeployedResource, Deployment, Service } from "../parts.ts";

const Signing = z.strictObject({
  KeyId: z.string(),
  SigningAlgorithm: z.literal("ECDSA_SHA_256"),
  MessageType: z.enum(["RAW", "DIGEST"]),
  Message: z.base64(),
});
const Reading = z.strictObject({ KeyId: z.string() });

/** As AWS documents them. */
const RAW_BYTES = 4_096;
const DIGEST_BYTES = 32;
const SPEC = { KeySpec: "ECC_NIST_P256", KeyUsage: "SIGN_VERIFY" };

export interface Kms {
  service: Service;
  /** The keys of this deployment, from now on. */
  update(deployed: Deployment): void;
}

export function createKms(deployed: Deployment): Kms {
  let now = deployed;
  const pairs = new Map<string, KeyPairKeyObjectResult>();
  const pairOf = (keyArn: string): KeyPairKeyObjectResult => {
    const pair = pairs.get(keyArn) ?? generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    pairs.set(keyArn, pair);
    return pair;
  };
  return {
    update(next) {
      now = next;
    },
    service: async ({ headers, body }) => {
      const asked: unknown = JSON.parse(body.toString());
      const { KeyId } = z.looseObject({ KeyId: z.string() }).parse(asked);
      const key = Object.values(now.resources).find(({ type, arn }) => type === "AWS::KMS::Key" && arn === KeyId);
      if (!key) return refused("NotFoundException", `Key '${KeyId}' does not exist`);
      assertForSigning(key, now);
      const { publicKey, privateKey } = pairOf(KeyId);
      switch (headers["x-amz-target"]) {
        case "TrentService.GetPublicKey": {
          Reading.parse(asked);
          const der = publicKey.export({ type: "spki", format: "der" });
          const PublicKey = der.toString("base64");
          return answer(200, { KeyId, ...SPEC, PublicKey, SigningAlgorithms: ["ECDSA_SHA_256"] });
        }
        case "TrentService.Sign": {
          const { MessageType, Message, SigningAlgorithm } = Signing.parse(asked);
          const message = Buffer.from(Message, "base64");
          if (message.length > RAW_BYTES) return refused("ValidationException", "The message is too long");
          if (MessageType === "DIGEST" && message.length !== DIGEST_BYTES)
            return refused("ValidationException", `Digest is invalid length for algorithm ${SigningAlgorithm}.`);
          const digest = MessageType === "DIGEST" ? message : createHash("sha256").update(message).digest();
          return answer(200, { KeyId, Signature: signDigest(digest, privateKey).toString("base64"), SigningAlgorithm });
        }
        default:
          throw new Error(`AWS KMS is not played for ${headers["x-amz-target"]}.`);
      }
    },
  };
}

/** The policies of roles count only where the key's own policy gives the decision to the account. */
function assertForSigning({ logicalId, properties }: DeployedResource, { partition, account }: Deployment): void {
  const { KeySpec, KeyUsage, KeyPolicy } = properties;
  if (KeySpec !== SPEC.KeySpec || KeyUsage !== SPEC.KeyUsage)
    throw new Error(`The key ${logicalId} is not played: ${KeySpec}, ${KeyUsage}`);
  const [statement, ...others] = (KeyPolicy as { Statement: Record<string, unknown>[] }).Statement;
  const expected = {
    Action: "kms:*",
    Effect: "Allow",
    Principal: { AWS: `arn:${partition}:iam::${account}:root` },
    Resource: "*",
  };
  const same = Object.entries(expected).every(
    ([name, value]) => JSON.stringify(statement?.[name]) === JSON.stringify(value),
  );
  if (!same || others.length > 0 || Object.keys(statement ?? {}).length !== Object.keys(expected).length)
    throw new Error(`The policy of the key ${logicalId} is not played: ${JSON.stringify(KeyPolicy)}`);
}

const refused = (__type: string, message: string) => answer(400, { __type, message });

const answer = (status: number, json: unknown) => ({
  status,
  headers: { "content-type": "application/x-amz-json-1.1" },
  body: Buffer.from(JSON.stringify(json)),
});
