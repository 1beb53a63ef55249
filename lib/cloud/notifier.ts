/** The notifier: tells a webhook every minute what is due. Only there where one is configured. */
import { CfnDeletionPolicy, Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as FunctionTarget } from "aws-cdk-lib/aws-events-targets";
import type { Code, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { CfnSecret } from "aws-cdk-lib/aws-secretsmanager";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";
import type { CloudConfig } from "./config.ts";
import { createFunction } from "./function.ts";
import { allow, onIndex, onTable, TABLE_ACTIONS } from "./statements.ts";
import type { Storage } from "./storage.ts";

export interface Notifier {
  notify: LambdaFunction;
  secret: CfnSecret;
}

export interface NotifierParts {
  config: CloudConfig;
  code: Code;
  storage: Storage;
  /** Where EventBridge leaves calls that could not be made. */
  missed: Queue;
}

const EVERY = Duration.minutes(1);

export function createNotifier(scope: Construct, parts: NotifierParts): Notifier | undefined {
  const { config, code, storage, missed } = parts;
  const { webhook } = config;
  if (!webhook) return undefined;
  const place = new Construct(scope, "Notifier");
  const secret = createSecret(place);
  const notify = createFunction(place, {
    name: "Notify",
    description: "Tells the webhook what is due: endings, runs that wait for somebody, ceilings that are near.",
    handler: "notify",
    ...{ config, code, storage },
    // A call that goes on for longer is in nobody's way: what one has taken no other takes.
    timeout: Duration.minutes(2),
    memoryMb: 256,
    environment: {
      WEBHOOK_URL: webhook.url,
      WEBHOOK_ALLOW_PRIVATE: String(webhook.allowPrivate ?? false),
      WEBHOOK_SECRET_ID: secret.ref,
    },
    statements: [
      onTable(storage, "dynamodb:GetItem", ...TABLE_ACTIONS.write, ...TABLE_ACTIONS.delete),
      onIndex(storage, "due"),
      allow(["secretsmanager:GetSecretValue"], secret.ref),
    ],
  });
  notify.configureAsyncInvoke({ maxEventAge: EVERY, retryAttempts: 0 });
  new Rule(place, "Schedule", {
    description: "Calls the notifier.",
    schedule: Schedule.rate(EVERY),
    targets: [new FunctionTarget(notify, { deadLetterQueue: missed, retryAttempts: 0, maxEventAge: EVERY })],
  });
  return { notify, secret };
}

/** Made by AWS, at random: nothing is sent unsigned, and no template ever holds it. The receiver is given a copy. */
function createSecret(place: Construct): CfnSecret {
  const secret = new CfnSecret(place, "WebhookSecret", {
    description: "What L2MAC's notifications are signed with.",
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  });
  secret.cfnOptions.deletionPolicy = CfnDeletionPolicy.DELETE;
  secret.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.DELETE;
  acknowledge(secret, "AwsSolutions-SMG4", "The receiver has a copy, which AWS cannot change.");
  return secret;
}
