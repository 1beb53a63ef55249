import { createPublicKey, verify } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { describeSigner } from "../../test/contracts/signer.contract.ts";
import { createKmsDouble, KMS_KEY, openKmsSigner, type SentCommand } from "../../test/doubles/kms-signer.ts";
import { awsError } from "../../test/doubles/scripted-client.ts";
import { kmsClient } from "./kms-signer.ts";

let sent: SentCommand[];
let slept: number[];
beforeEach(() => {
  sent = [];
  slept = [];
});

const opened = (troubles: Error[] = [], described: object = {}) =>
  createKmsDouble({ sent, troubles, described, sleep: async (milliseconds) => void slept.push(milliseconds) });

const message = Buffer.from("DSSEv1 …");

describeSigner("a key of AWS KMS", openKmsSigner);

describe("a key of AWS KMS", () => {
  it("is named in each request, and gets the digest of the message", async () => {
    const signer = opened();
    const signatures = [await signer.sign(message), await signer.sign(message)];
    expect(sent.map(({ name }) => name)).toEqual(["GetPublicKeyCommand", "SignCommand", "SignCommand"]);
    expect(sent[1]?.input).toMatchObject({ KeyId: KMS_KEY, SigningAlgorithm: "ECDSA_SHA_256", MessageType: "DIGEST" });
    expect(sent[1]?.input.Message).toHaveLength(32);
    const key = createPublicKey((await signer.publicKey()).pem);
    for (const { sig } of signatures) expect(verify("sha256", message, key, Buffer.from(sig, "base64"))).toBe(true);
  });

  it("is asked again while it is throttled or does not answer, less and less often, and then given up", async () => {
    const times = (count: number) =>
      Array.from({ length: count }, () => awsError("ThrottlingException", { status: 400 }));
    const patient = opened([...times(4), awsError("KMSInternalException", { status: 500 })]);
    const { sig } = await patient.sign(message);
    const key = createPublicKey((await patient.publicKey()).pem);
    expect(verify("sha256", message, key, Buffer.from(sig, "base64"))).toBe(true);
    expect(slept).toEqual([250, 500, 1_000, 2_000, 4_000]);
    await expect(opened(times(8)).sign(message)).rejects.toThrow(
      "did not answer in time (kms:GetPublicKey: ThrottlingException)",
    );
    expect(sent).toHaveLength(7 + 8);
  });

  it.each([
    ["AccessDeniedException", /does not let the stack use the key/],
    ["DisabledException", /is disabled \(kms:Sign: DisabledException\)/],
    ["KMSInvalidStateException", /cannot be used in its present state/],
    ["NotFoundException", /there is no key/],
    ["InvalidKeyUsageException", /refused \(kms:Sign: InvalidKeyUsageException\)/],
  ])("that answers %s is not asked again, and the error has a remedy and no ARN", async (name, says) => {
    const troubles: Error[] = [];
    const signer = opened(troubles);
    await signer.publicKey();
    troubles.push(awsError(name, { status: 400 }));
    const error: unknown = await signer.sign(message).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ exitCode: 3, remedy: expect.any(String), message: expect.stringMatching(says) });
    expect(String(error)).not.toContain("arn:");
    expect(slept).toEqual([]);
  });

  it("of another kind is refused by name, and is not asked to sign", async () => {
    const signer = opened([], { KeySpec: "RSA_2048", KeyUsage: "ENCRYPT_DECRYPT" });
    await expect(signer.sign(message)).rejects.toThrow(
      /RSA_2048 for ENCRYPT_DECRYPT, and not ECC_NIST_P256 for SIGN_VERIFY/,
    );
    expect(sent.map(({ name }) => name)).toEqual(["GetPublicKeyCommand"]);
  });

  it("whose public half could not be read is asked for it again", async () => {
    const signer = opened([awsError("DisabledException", { status: 400 })]);
    await expect(signer.sign(message)).rejects.toThrow("disabled");
    await expect(signer.sign(message)).resolves.toMatchObject({ keyid: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});

it("the client makes one attempt, within a time", async () => {
  const { config } = kmsClient({ region: "eu-west-1" });
  expect(await config.maxAttempts()).toBe(1);
});
