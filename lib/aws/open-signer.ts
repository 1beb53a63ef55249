/** The signer of manifests, where the stack has a key for it. */

import type { ManifestSigner } from "../core/provenance/signer.ts";
import type { RetryParts } from "./retry.ts";
import type { Settings } from "./settings.ts";

/** Late: a function signs at the end of a run, if at all. */
export function openSigner({ SIGNING_KEY_ARN: keyArn }: Settings, waiting: RetryParts): ManifestSigner | undefined {
  if (keyArn === undefined) return undefined;
  let opened: Promise<ManifestSigner> | undefined;
  const open = (): Promise<ManifestSigner> => {
    opened ??= import("./kms-signer.ts").then(({ createKmsSigner, kmsClient }) =>
      createKmsSigner({ client: kmsClient(), keyArn, ...waiting }),
    );
    return opened;
  };
  return {
    sign: async (message) => (await open()).sign(message),
    publicKey: async () => (await open()).publicKey(),
  };
}
