/** What the policy of a customer managed key must allow, with the values of the account. Pure. */
import type { Finding } from "../../deployment/finding.ts";
import type { Caller } from "../../deployment/target.ts";
import type { DeploymentOptions } from "./deployment-options.ts";

export interface KeyPlace {
  /** `aws`, `aws-cn`, `aws-us-gov` */
  partition: string;
  region: string;
  account: string;
}

/** Beside the statement that lets the account's own policies decide. */
export const keyStatements = ({ partition, region, account }: KeyPlace): object[] => [
  {
    Sid: "LetLogsOfTheStackUseTheKey",
    Effect: "Allow",
    Principal: { Service: `logs.${region}.${partition === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com"}` },
    Action: ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"],
    Resource: "*",
    Condition: {
      ArnLike: { "kms:EncryptionContext:aws:logs:arn": `arn:${partition}:logs:${region}:${account}:log-group:*` },
    },
  },
  {
    Sid: "LetAlarmsUseTheKey",
    ...usedBy("cloudwatch.amazonaws.com"),
    Condition: { StringEquals: { "aws:SourceAccount": account } },
  },
  // EventBridge supports no aws:SourceAccount here: with it, what belongs into the encrypted queue is lost.
  { Sid: "LetSchedulesUseTheKey", ...usedBy("events.amazonaws.com") },
];

const usedBy = (service: string): object => ({
  Effect: "Allow",
  Principal: { Service: service },
  Action: ["kms:Decrypt", "kms:GenerateDataKey*"],
  Resource: "*",
});

/** A note: the key's policy is not read, since that would need another permission on it. */
export function keyFindings(
  { config }: Pick<DeploymentOptions, "config">,
  { account, region }: Pick<Caller, "account" | "region">,
): Finding[] {
  const { kmsKeyArn } = config;
  if (kmsKeyArn === undefined) return [];
  const [, partition = "aws"] = kmsKeyArn.split(":");
  const statements = keyStatements({ partition, region, account }).map((each) => JSON.stringify(each));
  return [{ what: "kms", state: "note", says: [`the policy of ${kmsKeyArn} must have:`, ...statements].join("\n") }];
}
