/** The customer managed key, where one is configured, and what functions need of it. */
import { Aws, Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import type { CloudConfig } from "./config.ts";

type KeyConfig = Pick<CloudConfig, "kmsKeyArn">;

/** Undefined: the keys of AWS are used. */
export function customerKey(place: Construct, { kmsKeyArn }: KeyConfig): IKey | undefined {
  if (kmsKeyArn === undefined) return undefined;
  const stack = Stack.of(place);
  return (
    (stack.node.tryFindChild("CustomerKey") as IKey | undefined) ?? Key.fromKeyArn(stack, "CustomerKey", kmsKeyArn)
  );
}

/** KMS alone sets the value that is compared. AWS does not document which of the two it is in China. */
const suffixesIn = (arn: string): string[] =>
  arn.startsWith("arn:aws-cn:") ? ["amazonaws.com", "amazonaws.com.cn"] : ["amazonaws.com"];

/** What DynamoDB, S3 and Secrets Manager ask of the key in the caller's name, and only through them. */
export const usingKey = ({ kmsKeyArn }: KeyConfig): PolicyStatement[] =>
  kmsKeyArn === undefined
    ? []
    : [
        new PolicyStatement({
          effect: Effect.ALLOW,
          actions: [
            ...["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"],
            ...["kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncryptFrom", "kms:ReEncryptTo"],
          ],
          resources: [kmsKeyArn],
          conditions: {
            StringEquals: {
              "kms:ViaService": ["dynamodb", "s3", "secretsmanager"].flatMap((service) =>
                suffixesIn(kmsKeyArn).map((suffix) => `${service}.${Aws.REGION}.${suffix}`),
              ),
            },
          },
        }),
      ];
