import { expect, it } from "vitest";
import { openKmsSigner } from "../../../test/doubles/kms-signer.ts";
import { UserError } from "../../core/errors.ts";
import { signingFinding } from "./signing.ts";

it("names the key that signs", async () => {
  const { keyid, pem } = await openKmsSigner().publicKey();
  expect(await signingFinding({ signingKey: async () => pem })).toEqual({
    what: "signing",
    state: "ok",
    says: `AWS KMS signs manifests, with the key ${keyid.slice(0, 16)}`,
  });
});

it("says why manifests may not be signed, with the remedy: no run needs it", async () => {
  const signingKey = async () => {
    throw new UserError("the key is disabled", { exitCode: 3, remedy: "Enable the key in AWS KMS." });
  };
  expect(await signingFinding({ signingKey })).toEqual({
    what: "signing",
    state: "note",
    says: "manifests may not be signed: the key is disabled",
    next: ["Enable the key in AWS KMS."],
  });
  expect(await signingFinding({ signingKey: async () => undefined })).toMatchObject({ state: "note" });
});
