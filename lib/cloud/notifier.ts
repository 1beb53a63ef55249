/** The notifier: sends due notifications every minute, to EventBridge's default bus to the webhook that is configured, and spans to a collector. */
import { CfnDeletionPolicy, Duration, Stack } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as FunctionTarget } from "aws-cdk-lib/aws-events-targets";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Code, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { CfnSecret, type CfnSecretProps } from "aws-cdk-lib/aws-secretsmanager";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { defined } from "../core/defined.ts";
import { DETAIL_TYPES, EVENT_SOURCE } from "../core/notification/run-event.ts";
import { acknowledge } from "./acknowledge.ts";
import type { CloudConfig } from "./config.ts";
import { createFunction } from "./function.ts";
import { createSpanAccess } from "./spans.ts";
import { accessOf, allow } from "./statements.ts";
import type { Storage } from "./storage.ts";

export interface Notifier {
  notify: LambdaFunction;
  /** What notifications are signed with. Absent: the webhook cannot verify it, or there is none. */
  secret?: CfnSecret;
  /** The address of the webhook, where the configuration does not name it. */
  address?: CfnSecret;
  /** The header of the collector of spans. */
  otelHeader?: CfnSecret;
}

export interface NotifierParts {
  config: CloudConfig;
  code: Code;
  storage: Storage;
  /** The dead-letter queue of EventBridge. */
  missed: Queue;
}

const EVERY = Duration.minutes(1);

/** Whether runs leave notifications at all. */
export const hasNotifier = ({ webhook, runEvents, otel }: CloudConfig): boolean =>
  webhook !== undefined || otel !== undefined || runEvents;

export function createNotifier(scope: Construct, parts: NotifierParts): Notifier | undefined {
  const { config, code, storage, missed } = parts;
  if (!hasNotifier(config)) return undefined;
  const place = new Construct(scope, "Notifier");
  const secrets = createSecrets(place, config);
  const spans = createSpanAccess(place, config, storage);
  const notify = createFunction(place, {
    name: "Notify",
    description: "Sends events of runs: endings, runs that wait for a person, ceilings that are near.",
    handler: "notify",
    config,
    code,
    storage,
    // Calls may overlap: each notification is leased by one.
    timeout: Duration.minutes(2),
    memoryMb: 256,
    traced: false,
    environment: {
      ...(config.runEvents ? { EVENTS_STACK: config.stackName } : {}),
      ...webhookSettings(config, secrets),
      ...spans.environment,
    },
    statements: [
      ...accessOf("notify", storage),
      ...(config.runEvents ? [puttingEvents(place)] : []),
      ...Object.values(secrets).map(({ ref }) => allow(["secretsmanager:GetSecretValue"], ref)),
      ...spans.statements,
    ],
  });
  notify.configureAsyncInvoke({ maxEventAge: EVERY, retryAttempts: 0 });
  new Rule(place, "Schedule", {
    description: "Calls the notifier.",
    schedule: Schedule.rate(EVERY),
    targets: [new FunctionTarget(notify, { deadLetterQueue: missed, retryAttempts: 0, maxEventAge: EVERY })],
  });
  return { notify, ...secrets, ...(spans.secret ? { otelHeader: spans.secret } : {}) };
}

const webhookSettings = ({ webhook }: CloudConfig, { secret, address }: Pick<Notifier, "secret" | "address">) =>
  webhook
    ? {
        WEBHOOK_ALLOW_PRIVATE: String(webhook.allowPrivate ?? false),
        ...defined({ WEBHOOK_URL: webhook.url, WEBHOOK_FORMAT: webhook.format }),
        ...defined({ WEBHOOK_SECRET_ID: secret?.ref, WEBHOOK_URL_SECRET_ID: address?.ref }),
      }
    : {};

/** The events of this program alone: the default bus also carries those of AWS and of other applications. */
const puttingEvents = (place: Construct): PolicyStatement =>
  new PolicyStatement({
    effect: Effect.ALLOW,
    actions: ["events:PutEvents"],
    resources: [Stack.of(place).formatArn({ service: "events", resource: "event-bus", resourceName: "default" })],
    conditions: {
      StringEquals: { "events:source": EVENT_SOURCE, "events:detail-type": Object.values(DETAIL_TYPES) },
    },
  });

function createSecrets(place: Construct, { webhook, kmsKeyArn }: CloudConfig): Pick<Notifier, "secret" | "address"> {
  const create = (id: string, own: CfnSecretProps, why: string): CfnSecret => {
    const secret = new CfnSecret(place, id, { ...own, ...defined({ kmsKeyId: kmsKeyArn }) });
    secret.cfnOptions.deletionPolicy = CfnDeletionPolicy.DELETE;
    secret.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.DELETE;
    acknowledge(secret, "AwsSolutions-SMG4", why);
    return secret;
  };
  if (!webhook) return {};
  if (webhook.format === "slack")
    return webhook.url === undefined
      ? {
          address: create(
            "WebhookAddress",
            { description: "The address of L2MAC's webhook." },
            "The receiver issues the address; AWS cannot change it.",
          ),
        }
      : {};
  // Generated by AWS, so that no template contains it. The receiver gets a copy.
  const generateSecretString = { passwordLength: 48, excludePunctuation: true };
  const description = "What L2MAC's notifications are signed with.";
  return {
    secret: create(
      "WebhookSecret",
      { description, generateSecretString },
      "The receiver has a copy, which AWS cannot change.",
    ),
  };
}
