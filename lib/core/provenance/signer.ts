/** The port through which manifests are signed, with the contract that its adapters run. */
import type { EnvelopeSignature } from "./envelope.ts";

export interface PublicKey {
  /** As signatures name it. */
  keyid: string;
  pem: string;
}

export interface ManifestSigner {
  /** The private half of the key never leaves it. Throws where there is no key. */
  sign(message: Uint8Array): Promise<EnvelopeSignature>;
  /** Its public half. */
  publicKey(): Promise<PublicKey>;
}
