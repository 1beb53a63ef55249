/** The signer of manifests on AWS: the part of the composition root that joins it to a key of AWS KMS. */
import type { RetryParts } from "../lib/aws/retry.ts";
import type { Settings } from "../lib/aws/settings.ts";
import type { ManifestSigner } from "../lib/core/provenance/signer.ts";

/** Late: a function signs at the end of a run, if at all. */
export function openSigner({ SIGNING_KEY_ARN: keyArn }: Settings, waiting: RetryParts): ManifestSigner | undefined {
  if (keyArn === undefined) return undefined;
  let opened: Promise<ManifestSigner> | undefined;
  const open = (): Promise<ManifestSigner> => {
    opened ??= import("../lib/aws/kms-signer.ts").then(({ createKmsSigner, kmsClient }) =>
      createKmsSigner({ client: kmsClient(), keyArn, ...waiting }),
    );
    return opened;
  };
  return {
    sign: async (message) => (await open()).sign(message),
    publicKey: async () => (await open()).publicKey(),
  };
}
