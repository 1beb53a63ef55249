/** `GET /signing-key`: the public key with which the manifests of this server's deliveries are verified. */
import { UserError } from "../../core/errors.ts";
import { SigningKeyAnswer } from "../answers.ts";
import { Refused } from "../problem.ts";
import { route } from "../route.ts";

export const signingKey = route({
  name: "showSigningKey",
  description: "Shows the public key with which the manifests of this server's deliveries are verified.",
  answers: { 200: { description: "The key.", schema: SigningKeyAnswer } },
  problems: [403, 404, 502],
  async handle({ parts: { signer } }) {
    if (!signer) throw new Refused(404, "This server does not sign manifests.", { next: UNSIGNED });
    try {
      const { keyid, pem } = await signer.publicKey();
      return { status: 200, json: { keyid, publicKey: pem } };
    } catch (error) {
      // The key of AWS KMS is disabled, say: nothing that a run needs.
      if (!(error instanceof UserError)) throw error;
      throw new Refused(502, `The key cannot be read: ${error.message}.`, { next: error.remedy, cause: error });
    }
  },
});

const UNSIGNED = 'For a stack: set "signing": {"kms": true} in l2mac.cloud.json, and deploy again.';
