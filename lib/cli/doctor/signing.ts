/** Whether a stack whose configuration has a key signs manifests with it, asked through its API. No run needs it. */
import { createPublicKey } from "node:crypto";
import type { Client } from "../../client/client.ts";
import { UserError } from "../../core/errors.ts";
import type { Finding } from "../../deployment/finding.ts";
import { keyIdOf } from "../../host/signing-key.ts";

const KEY_CHARS = 16;

export async function signingFinding(api: Pick<Client, "signingKey">): Promise<Finding> {
  const what = "signing";
  try {
    const pem = await api.signingKey();
    if (pem === undefined)
      return {
        what,
        state: "note",
        says: "the API has no key: the stack is being changed, or was deployed by another version",
      };
    const keyid = keyIdOf(createPublicKey(pem)).slice(0, KEY_CHARS);
    return { what, state: "ok", says: `AWS KMS signs manifests, with the key ${keyid}` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const remedy = error instanceof UserError ? error.remedy : undefined;
    return {
      what,
      state: "note",
      says: `manifests may not be signed: ${why}`,
      ...(remedy ? { next: [remedy].flat() } : {}),
    };
  }
}
