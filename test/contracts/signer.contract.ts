/** What holds for everything that signs manifests. */
import { createPublicKey, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ManifestSigner } from "../../lib/core/provenance/signer.ts";
import { keyIdOf } from "../../lib/host/signing-key.ts";

export function describeSigner(name: string, open: () => ManifestSigner): void {
  describe(`${name} signs manifests`, () => {
    // More than a key service takes in one request.
    const message = new TextEncoder().encode("DSSEv1 ".repeat(2_000));

    it("so that its public half verifies them, and names that half", async () => {
      const signer = open();
      const named = await signer.publicKey();
      const key = createPublicKey(named.pem);
      const { keyid, sig } = await signer.sign(message);
      expect(keyid).toBe(keyIdOf(key));
      expect(named.keyid).toBe(keyid);
      const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
      expect(verify(digest, message, key, Buffer.from(sig, "base64"))).toBe(true);
      expect(verify(digest, message.subarray(1), key, Buffer.from(sig, "base64"))).toBe(false);
    });

    it("with the same key each time", async () => {
      const signer = open();
      expect((await signer.sign(message)).keyid).toBe((await open().sign(message)).keyid);
    });
  });
}
