/** The secret with the token of a Git server, and who reads it: the handlers that fetch a start and push a result. */
import { CfnDeletionPolicy } from "aws-cdk-lib";
import type { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnSecret, type CfnSecretProps } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { defined } from "../core/defined.ts";
import { acknowledge } from "./acknowledge.ts";
import type { CloudConfig } from "./config.ts";
import { allow } from "./statements.ts";

export interface GitAccess {
  secret?: CfnSecret;
  environment: Record<string, string>;
  statements: PolicyStatement[];
}

/** Without the field `git` there is no secret: public repositories are read, and nothing is pushed. */
export function createGitAccess(place: Construct, { git, kmsKeyArn }: CloudConfig): GitAccess {
  if (!git) return { environment: {}, statements: [] };
  const description = `The token of the Git server ${git.host} for L2MAC.`;
  const secret = createSecret(new Construct(place, "Git"), { description, ...defined({ kmsKeyId: kmsKeyArn }) });
  return {
    secret,
    environment: {
      GIT_HOST: git.host,
      GIT_TOKEN_SECRET_ID: secret.ref,
      ...(git.api === undefined ? {} : { GIT_API: git.api }),
      ...(git.allowPrivate ? { GIT_ALLOW_PRIVATE: "true" } : {}),
    },
    statements: [allow(["secretsmanager:GetSecretValue"], secret.ref)],
  };
}

/** Without a value: the user sets it after the deployment, so no template contains it. */
function createSecret(place: Construct, props: CfnSecretProps): CfnSecret {
  const secret = new CfnSecret(place, "Token", props);
  secret.cfnOptions.deletionPolicy = CfnDeletionPolicy.DELETE;
  secret.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.DELETE;
  acknowledge(secret, "AwsSolutions-SMG4", "The token is issued by the Git server; AWS cannot rotate it.");
  return secret;
}
