/** Lets the functions that call models call those of Amazon Bedrock, one statement for each model. */
import { Stack } from "aws-cdk-lib";
import type { IRole, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";
import { bedrockArns } from "./bedrock-models.ts";
import type { CloudConfig } from "./config.ts";
import { allow } from "./statements.ts";

const ACTIONS = ["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"];

export function callingModels(place: Construct, { bedrockModels = [] }: CloudConfig): PolicyStatement[] {
  const { partition, region, account } = Stack.of(place);
  return bedrockModels.map((name, at) => {
    const statement = allow(ACTIONS, ...bedrockArns(name, { partition, region, account }));
    // Statements without an id are merged.
    statement.sid = `Model${at + 1}${name.replace(/[^A-Za-z0-9]/g, "")}`;
    return statement;
  });
}

/** For cdk-nag. */
export function acknowledgeProfiles(role: IRole, { bedrockModels = [] }: CloudConfig): void {
  const place = { partition: "<AWS::Partition>", region: "<AWS::Region>", account: "<AWS::AccountId>" };
  const wide = bedrockModels.flatMap((name) => bedrockArns(name, place)).filter((arn) => arn.includes("*"));
  for (const arn of new Set(wide))
    acknowledge(
      role,
      `AwsSolutions-IAM5[Resource::${arn}]`,
      "An inference profile chooses among Regions; the model is one.",
    );
}
