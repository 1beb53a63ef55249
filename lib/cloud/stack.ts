/** The whole computer as one stack. */
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { createAlarms } from "./alarms.ts";
import type { CloudConfig } from "./config.ts";
import { createControlUnit } from "./control-unit.ts";
import { createEvaluator, type EvaluatorParts } from "./evaluator.ts";
import { createStorage } from "./storage.ts";
import { createSweeper } from "./sweeper.ts";

export interface ComputerParts extends EvaluatorParts {
  config: CloudConfig;
  /** The folder of the functions' bundle. */
  codeFolder: string;
  /** Absent: wherever it is deployed to. */
  env?: StackProps["env"];
}

export function createComputer(scope: Construct, parts: ComputerParts): Stack {
  const { config, codeFolder, env } = parts;
  const stack = new Stack(scope, config.stackName, {
    description: "L2MAC: an automatic computer with a stored program, computed by a language model.",
    ...(env ? { env } : {}),
  });
  const code = Code.fromAsset(codeFolder);
  const storage = createStorage(stack, config);
  const evaluator = createEvaluator(stack, parts);
  const controlUnit = createControlUnit(stack, { config, code, storage, evaluator });
  const { stateMachine } = controlUnit;
  const sweeper = createSweeper(stack, { config, code, storage, stateMachine });
  createAlarms(stack, { config, controlUnit, evaluator, sweeper });

  const output = (name: string, value: string, description: string) =>
    new CfnOutput(stack, name, { value, description });
  const secret = storage.modelKey.ref;
  const setKey = `read -rs KEY && printf %s "$KEY" | aws secretsmanager put-secret-value --secret-id ${secret} --secret-string file:///dev/stdin`;
  output(
    "SetModelKey",
    setKey,
    "Next: stores the key of the model server, which you type or paste; a rehearsal needs none",
  );
  output("Table", storage.table.tableName, "The registry: runs, programs, turns");
  output("Bucket", storage.bucket.bucketName, "The file store: what runs have made");
  output("StateMachine", stateMachine.stateMachineArn, "The control unit: one execution for each epoch of a run");
  output("EvaluatorFunction", evaluator.functionName, "Checks and tests generated code");
  return stack;
}
