/** The sweeper: called every five minutes to repair runs that died silently. */
import { ArnFormat, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as FunctionTarget } from "aws-cdk-lib/aws-events-targets";
import type { Code, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";
import type { CloudConfig } from "./config.ts";
import { stateMachineNameOf } from "./control-unit.ts";
import { customerKey } from "./customer-key.ts";
import { createFunction } from "./function.ts";
import { accessOf, allow } from "./statements.ts";
import type { Storage } from "./storage.ts";

export interface Sweeper {
  sweep: LambdaFunction;
  /** The dead-letter queue. */
  missed: Queue;
}

export interface SweeperParts {
  config: CloudConfig;
  code: Code;
  storage: Storage;
  stateMachine: StateMachine;
}

const EVERY = Duration.minutes(5);

export function createSweeper(scope: Construct, { config, code, storage, stateMachine }: SweeperParts): Sweeper {
  const place = new Construct(scope, "Sweeper");
  const executions = `${stateMachineNameOf(config)}:*`;
  const sweep = createFunction(place, {
    name: "Sweep",
    description: "Starts, extends or ends runs that are overdue, and finishes removals.",
    handler: "sweep",
    config,
    code,
    storage,
    // Shorter than the interval between calls.
    timeout: Duration.minutes(4),
    traced: false,
    environment: {
      STATE_MACHINE_ARN: stateMachine.stateMachineArn,
      ...(config.keepRunsDays === undefined ? {} : { KEEP_RUNS_DAYS: String(config.keepRunsDays) }),
    },
    statements: [
      ...accessOf("sweep", storage),
      allow(["states:StartExecution"], stateMachine.stateMachineArn),
      allow(["states:DescribeExecution"], executionsIn(place, executions)),
    ],
  });
  acknowledge(
    sweep.role ?? sweep,
    `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${executions}]`,
    "Executions are named by the runs that they compute.",
  );
  const key = customerKey(place, config);
  const missed = new Queue(place, "Missed", {
    ...(key
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
      : { encryption: QueueEncryption.SQS_MANAGED }),
    enforceSSL: true,
    // As long as a message is there, its alarm stays on: a call that was missed is old after a day.
    retentionPeriod: Duration.days(1),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acknowledge(missed, "AwsSolutions-SQS3", "It is itself where EventBridge leaves the calls that failed.");
  // EventBridge invokes asynchronously: Lambda must not queue calls that it cannot start in time.
  sweep.configureAsyncInvoke({ maxEventAge: EVERY, retryAttempts: 0 });
  new Rule(place, "Schedule", {
    description: "Calls the sweeper.",
    schedule: Schedule.rate(EVERY),
    // The next call replaces a late one.
    targets: [new FunctionTarget(sweep, { deadLetterQueue: missed, retryAttempts: 2, maxEventAge: EVERY })],
  });
  return { sweep, missed };
}

const executionsIn = (place: Construct, executions: string): string =>
  Stack.of(place).formatArn({
    service: "states",
    resource: "execution",
    resourceName: executions,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
