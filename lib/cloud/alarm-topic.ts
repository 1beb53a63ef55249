/** The topic that mails alarms. Only CloudWatch in this account may publish to it, over TLS. */
import { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import { defined } from "../core/defined.ts";
import type { CloudConfig } from "./config.ts";
import { customerKey } from "./customer-key.ts";

export function createAlarmTopic(place: Construct, mail: string, config: CloudConfig): Topic {
  const topic = new Topic(place, "Topic", { enforceSSL: true, ...defined({ masterKey: customerKey(place, config) }) });
  // enforceSSL writes a policy, which replaces the default one that lets the account's alarms publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: "LetAlarmsPublish",
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(place).account } },
    }),
  );
  topic.addSubscription(new EmailSubscription(mail));
  return topic;
}
