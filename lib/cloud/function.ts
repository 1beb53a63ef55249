/** A function with its own role and log group, without managed policies. */
import { type Duration, RemovalPolicy } from "aws-cdk-lib";
import { type PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { defined } from "../core/defined.ts";
import { acknowledge, nagNameOf } from "./acknowledge.ts";
import type { CloudConfig } from "./config.ts";
import { customerKey, usingKey } from "./customer-key.ts";
import { allow } from "./statements.ts";
import type { Storage } from "./storage.ts";

export interface FunctionParts {
  name: string;
  description: string;
  /** Its export in the bundle. */
  handler: string;
  code: Code;
  timeout: Duration;
  memoryMb?: number;
  storage: Storage;
  /** Besides the table and the bucket. */
  environment?: Record<string, string>;
  statements: PolicyStatement[];
  reservedConcurrency?: number | undefined;
  /** Each trace is charged, so functions that the clock or watchers call often have none. */
  traced?: boolean;
  config: CloudConfig;
}

export function createFunction(place: Construct, parts: FunctionParts): LambdaFunction {
  const { name, config, storage, reservedConcurrency, traced = true } = parts;
  const logGroup = createLogGroup(place, `${name}Log`, config);
  const role = createRole(place, name);
  role.addToPolicy(writingTo(logGroup));
  for (const statement of [...parts.statements, ...usingKey(config)]) role.addToPolicy(statement);
  const made = new LambdaFunction(place, name, {
    description: parts.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: parts.code,
    handler: `entry.${parts.handler}`,
    memorySize: parts.memoryMb ?? 512,
    timeout: parts.timeout,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    tracing: traced ? Tracing.ACTIVE : Tracing.DISABLED,
    environment: {
      TABLE_NAME: storage.table.tableName,
      BUCKET_NAME: storage.bucket.bucketName,
      // Every function that changes runs also queues their notifications.
      ...(config.webhook || config.runEvents || config.otel ? { NOTIFIES: "true" } : {}),
      ...parts.environment,
      POWERTOOLS_SERVICE_NAME: config.stackName,
      POWERTOOLS_METRICS_NAMESPACE: "L2MAC",
    },
    ...defined({ reservedConcurrentExecutions: reservedConcurrency }),
  });
  if (traced)
    acknowledge(role, "AwsSolutions-IAM5[Resource::*]", "X-Ray's write actions cannot be limited to a resource.");
  const runs = `${nagNameOf(storage.bucket)}/runs/*`;
  acknowledge(role, `AwsSolutions-IAM5[Resource::${runs}]`, "A run's files have the names that the run gives them.");
  return made;
}

/** For functions that call the model or resume runs. */
export const dailyCeiling = ({ dailyUsd }: CloudConfig): Record<string, string> =>
  dailyUsd === undefined ? {} : { DAILY_USD: String(dailyUsd) };

export const createLogGroup = (
  place: Construct,
  id: string,
  config: Pick<CloudConfig, "logRetentionDays" | "kmsKeyArn"> & {
    logGroupName?: string;
    removalPolicy?: RemovalPolicy;
  },
): LogGroup =>
  new LogGroup(place, id, {
    retention: config.logRetentionDays,
    removalPolicy: config.removalPolicy ?? RemovalPolicy.DESTROY,
    ...defined({ logGroupName: config.logGroupName, encryptionKey: customerKey(place, config) }),
  });

export const createRole = (place: Construct, name: string): Role =>
  new Role(place, `${name}Role`, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    description: `What the function ${name} may do.`,
  });

export const writingTo = (logGroup: LogGroup): PolicyStatement =>
  allow(["logs:CreateLogStream", "logs:PutLogEvents"], logGroup.logGroupArn);
