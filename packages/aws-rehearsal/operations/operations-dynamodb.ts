/** DynamoDB's operations and the actions they need; a transaction needs those of its items. Pure. */

import type { Ask } from "../parts.ts";
import type { Problem } from "../sigv4/signature-problem.ts";
import {
  type DeploymentScope,
  invalid,
  isProblem,
  type ReadOperation,
  readTarget,
  unknownOperation,
} from "./operation.ts";

export const dynamodbOperation: ReadOperation = (request, place) => {
  const read = readTarget(request, "DynamoDB_20120810");
  if (isProblem(read)) return read;
  const { name, input } = read;
  const make = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (!make) return unknownOperation(`DynamoDB's ${name}`);
  const made = make(input, place);
  return isProblem(made) ? made : { name, about: aboutOf(input, made), asks: made };
};

type Input = Record<string, unknown>;
type Make = (input: Input, place: DeploymentScope) => Ask[] | Problem;

const onTable =
  (action: string): Make =>
  (input, place) => [{ action: `dynamodb:${action}`, resource: tableArn(input, place) }];

/** In the order of an item's members: which action each kind of item needs. */
const WRITES = {
  Put: "dynamodb:PutItem",
  Update: "dynamodb:UpdateItem",
  Delete: "dynamodb:DeleteItem",
  ConditionCheck: "dynamodb:ConditionCheckItem",
} as const;

const OPERATIONS: Record<string, Make> = {
  GetItem: onTable("GetItem"),
  PutItem: onTable("PutItem"),
  UpdateItem: onTable("UpdateItem"),
  DeleteItem: onTable("DeleteItem"),
  Query: (input, place) => {
    const table = tableArn(input, place);
    return [
      {
        action: "dynamodb:Query",
        resource: input.IndexName === undefined ? table : `${table}/index/${input.IndexName}`,
      },
    ];
  },
  TransactWriteItems: (input, place) => itemsOf(input, WRITES, place),
  TransactGetItems: (input, place) => itemsOf(input, { Get: "dynamodb:GetItem" }, place),
};

const MOST_ITEMS = 100;

function itemsOf(
  { TransactItems }: Input,
  actions: Readonly<Record<string, string>>,
  place: DeploymentScope,
): Ask[] | Problem {
  if (!Array.isArray(TransactItems) || TransactItems.length === 0)
    return invalid(
      "1 validation error detected: Value null at 'transactItems' failed to satisfy constraint: Member must not be null",
    );
  if (TransactItems.length > MOST_ITEMS)
    return invalid(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to ${MOST_ITEMS}`,
    );
  const asks = new Map<string, Ask>();
  const keys = new Set<string>();
  for (const item of TransactItems as Record<string, Input>[]) {
    const [[kind = "", input = {}] = [], ...others] = Object.entries(item);
    const action = Object.hasOwn(actions, kind) ? actions[kind] : undefined;
    if (!action || others.length > 0) return unknownOperation(`a transaction's item with ${Object.keys(item)}`);
    const resource = tableArn(input, place);
    const key = keyOf(input, resource, place);
    if (keys.has(key)) return invalid("Transaction request cannot include multiple operations on one item");
    keys.add(key);
    asks.set(`${action} ${resource}`, { action, resource });
  }
  return [...asks.values()];
}

/** As the table's declaration names its keys. */
function keyOf(input: Input, table: string, { resources }: DeploymentScope): string {
  const item = (input.Key ?? input.Item ?? {}) as Record<string, unknown>;
  const declared = Object.values(resources).find(({ arn }) => arn === table)?.properties.KeySchema;
  const names = ((declared ?? []) as { AttributeName: string }[]).map(({ AttributeName }) => AttributeName);
  return JSON.stringify([
    table,
    ...(names.length > 0 ? names : Object.keys(item).toSorted()).map((name) => item[name]),
  ]);
}

/** A table may be named by its ARN too. */
function tableArn({ TableName }: Input, { partition, region, account }: DeploymentScope): string {
  const name = String(TableName);
  return name.startsWith("arn:") ? name : `arn:${partition}:dynamodb:${region}:${account}:table/${name}`;
}

/** Keys are identifiers of the registry, and no content. */
function aboutOf(input: Input, asks: Ask[]): string {
  if (Array.isArray(input.TransactItems)) return `${input.TransactItems.length} items`;
  const index = typeof input.IndexName === "string" ? `index ${input.IndexName}` : undefined;
  const key = Object.values((input.Key ?? {}) as Record<string, { S?: string }>).map(({ S }) => S ?? "");
  return index ?? (key.length > 0 ? key.join(" ") : (asks[0]?.resource.split("/").at(-1) ?? ""));
}
