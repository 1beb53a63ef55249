/** The services that the deployed functions speak to, and what each of their requests needs. Pure. */
import type { ReadOperation } from "./operation.ts";
import { dynamodbOperation } from "./operations-dynamodb.ts";
import { lambdaOperation } from "./operations-lambda.ts";
import { s3Operation } from "./operations-s3.ts";
import { secretsOperation } from "./operations-secrets.ts";
import { statesOperation } from "./operations-states.ts";

/** By the name in a signature's scope. A service that is not here is not played. */
export const OPERATIONS = {
  dynamodb: dynamodbOperation,
  s3: s3Operation,
  secretsmanager: secretsOperation,
  lambda: lambdaOperation,
  states: statesOperation,
} satisfies Record<string, ReadOperation>;

export type ServiceName = keyof typeof OPERATIONS;

export const isServiceName = (name: string): name is ServiceName => Object.hasOwn(OPERATIONS, name);
