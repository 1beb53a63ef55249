/** The key that signs manifests, where one is configured: of the stack, or of the account. */
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import { Construct } from "constructs";
import type { CloudConfig } from "./config.ts";
import { allow } from "./statements.ts";

export interface SigningAccess {
  /** Absent: manifests are not signed. */
  keyArn?: string;
  environment: Record<string, string>;
  /** Of the function that delivers. */
  signing: PolicyStatement[];
  /** Of the function that shows the public half. */
  reading: PolicyStatement[];
}

/** Off unless it is configured: the key alone would cost more than an idle stack may. */
export function createSigningAccess(scope: Construct, config: CloudConfig): SigningAccess {
  const keyArn = keyArnOf(scope, config);
  if (keyArn === undefined) return { environment: {}, signing: [], reading: [] };
  const reading = allow(["kms:GetPublicKey"], keyArn);
  return {
    keyArn,
    environment: { SIGNING_KEY_ARN: keyArn },
    signing: [reading, signingBy(keyArn)],
    reading: [reading],
  };
}

function keyArnOf(scope: Construct, { signing, stackName }: CloudConfig): string | undefined {
  const kms = signing?.kms ?? false;
  if (typeof kms === "string") return kms;
  return kms ? createKey(scope, stackName).keyArn : undefined;
}

/** It encrypts nothing: what it signed is verified with its public half, also when it is gone. */
const createKey = (scope: Construct, stackName: string): Key =>
  new Key(new Construct(scope, "Signing"), "Key", {
    description: `Signs the manifests of deliveries of ${stackName}.`,
    keySpec: KeySpec.ECC_NIST_P256,
    keyUsage: KeyUsage.SIGN_VERIFY,
    removalPolicy: RemovalPolicy.DESTROY,
    pendingWindow: Duration.days(30),
  });

const signingBy = (keyArn: string): PolicyStatement =>
  new PolicyStatement({
    effect: Effect.ALLOW,
    actions: ["kms:Sign"],
    resources: [keyArn],
    conditions: { StringEquals: { "kms:SigningAlgorithm": "ECDSA_SHA_256", "kms:MessageType": "DIGEST" } },
  });
