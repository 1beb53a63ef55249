/** The key that signs manifests: none by default, one of the stack, or one of the account. */
import { beforeAll, describe, expect, it } from "vitest";
import { readCloudConfig } from "../../lib/cloud/config.ts";
import { type SynthesisedStack, synthesise } from "./synthesised.ts";

const KEY = "arn:aws:kms:us-east-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef";

interface Statement {
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

/** Every statement of a role about KMS, by the role's name. */
function aboutKeys({ ofType }: SynthesisedStack): Record<string, Statement[]> {
  const found = ofType("AWS::IAM::Policy").map(([id, { Properties }]): [string, Statement[]] => {
    const { Statement: statements } = Properties.PolicyDocument as { Statement: Statement[] };
    return [id.replace(/Role.*/, ""), statements.filter(({ Action }) => String(Action).includes("kms:"))];
  });
  return Object.fromEntries(found.filter(([, { length }]) => length > 0));
}

const functionsWith = ({ ofType }: SynthesisedStack, variable: string): string[] =>
  ofType("AWS::Lambda::Function")
    .filter(([, { Properties }]) => JSON.stringify(Properties.Environment ?? {}).includes(variable))
    .map(([id]) => id.slice(0, -8))
    .toSorted();

const onlyDigests = { StringEquals: { "kms:SigningAlgorithm": "ECDSA_SHA_256", "kms:MessageType": "DIGEST" } };

it("with false, as without the field, there is no key and no permission for one", () => {
  const stack = synthesise({ signing: { kms: false } });
  expect(stack.ofType("AWS::KMS::Key")).toEqual([]);
  expect(aboutKeys(stack)).toEqual({});
  expect(functionsWith(stack, "SIGNING_KEY_ARN")).toEqual([]);
  expect(stack.template.findOutputs("SigningKey")).toEqual({});
});

describe("with true", () => {
  let stack: SynthesisedStack;
  beforeAll(() => {
    stack = synthesise({ signing: { kms: true } }, { nag: true });
  });

  it("the stack has one key, on P-256, for signatures alone, which goes with it after 30 days", () => {
    const [[id, key] = [], ...others] = stack.ofType("AWS::KMS::Key");
    expect(others).toEqual([]);
    expect(key).toMatchObject({
      Properties: { KeySpec: "ECC_NIST_P256", KeyUsage: "SIGN_VERIFY", PendingWindowInDays: 30 },
      DeletionPolicy: "Delete",
    });
    expect(key?.Properties).not.toHaveProperty("EnableKeyRotation");
    expect(stack.template.findOutputs("SigningKey")).toMatchObject({
      SigningKey: { Value: { "Fn::GetAtt": [id, "Arn"] } },
    });
  });

  it("only the function that delivers may sign, only digests, and the API may read the public half", () => {
    const [[id = ""] = []] = stack.ofType("AWS::KMS::Key");
    const Resource = { "Fn::GetAtt": [id, "Arn"] };
    const reading = expect.objectContaining({ Action: "kms:GetPublicKey", Resource });
    expect(aboutKeys(stack)).toEqual({
      ControlUnitDeliver: [reading, expect.objectContaining({ Action: "kms:Sign", Resource, Condition: onlyDigests })],
      ApiFunction: [reading],
    });
    expect(functionsWith(stack, "SIGNING_KEY_ARN")).toEqual(["ApiFunction", "ControlUnitDeliver"]);
  });
});

it("a key of the account is used like one of the stack, which then has none", () => {
  const stack = synthesise({ signing: { kms: KEY } }, { nag: true });
  expect(stack.ofType("AWS::KMS::Key")).toEqual([]);
  const statements = Object.values(aboutKeys(stack)).flat();
  expect(statements.map(({ Action, Resource }) => [Action, Resource])).toEqual(
    expect.arrayContaining([["kms:Sign", KEY]]),
  );
  expect(statements.every(({ Resource }) => Resource === KEY)).toBe(true);
});

it.each([
  [{ signing: {} }, /signing.kms is missing: true, false, or the ARN/],
  [{ signing: { kms: "alias/mine" } }, /signing.kms is true, false, or the ARN .* "alias\/mine" is not/],
  [{ signing: { kms: KEY } }, /signing.kms is in us-east-1; the stack is deployed to eu-west-3/],
  [{ signing: { kms: KEY }, kmsKeyArn: KEY }, /either encrypts or signs/],
])("%j is refused by name", (config, says) => {
  expect(() => readCloudConfig([config], { region: "eu-west-3" })).toThrow(says);
});
