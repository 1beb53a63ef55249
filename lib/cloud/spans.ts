/** Where the stack's spans go, and the secret with the header that the collector asks for: the notifier sends them. */
import { CfnDeletionPolicy } from "aws-cdk-lib";
import type { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnSecret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { defined } from "../core/defined.ts";
import { acknowledge } from "./acknowledge.ts";
import type { CloudConfig } from "./config.ts";
import { accessOf, allow } from "./statements.ts";
import type { Storage } from "./storage.ts";

export interface SpanAccess {
  /** The value of the header, where one is configured. */
  secret?: CfnSecret;
  environment: Record<string, string>;
  statements: PolicyStatement[];
}

export function createSpanAccess(place: Construct, { otel, kmsKeyArn }: CloudConfig, storage: Storage): SpanAccess {
  if (!otel) return { environment: {}, statements: [] };
  const secret = otel.header === undefined ? undefined : createSecret(place, kmsKeyArn);
  return {
    ...defined({ secret }),
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: otel.endpoint,
      ...defined({ OTEL_SERVICE_NAME: otel.service }),
      ...defined({ OTEL_HEADER: otel.header, OTEL_HEADER_SECRET_ID: secret?.ref }),
    },
    statements: [
      ...accessOf("sendSpans", storage),
      ...(secret ? [allow(["secretsmanager:GetSecretValue"], secret.ref)] : []),
    ],
  };
}

/** Without a value: the user sets it after the deployment, so no template contains it. */
function createSecret(place: Construct, kmsKeyId: string | undefined): CfnSecret {
  const description = "The header that L2MAC sends to the collector of its spans.";
  const secret = new CfnSecret(place, "OtelHeader", { description, ...defined({ kmsKeyId }) });
  secret.cfnOptions.deletionPolicy = CfnDeletionPolicy.DELETE;
  secret.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.DELETE;
  acknowledge(secret, "AwsSolutions-SMG4", "The collector issues the value; AWS cannot change it.");
  return secret;
}
