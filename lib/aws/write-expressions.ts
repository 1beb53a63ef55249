/** The registry's writes as DynamoDB expressions. Every name is an alias, since DynamoDB reserves many words. */
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { Condition, Write } from "../core/ports.ts";
import type { Json } from "../core/text/json.ts";
import { type AttributeMap, toAttribute, toAttributes, toKey } from "./attribute-values.ts";

export function toTransactItem(TableName: string, write: Write): TransactWriteItem {
  const aliases = createAliases();
  const when = (conditions: Condition[] = []): string =>
    conditions.map((condition) => conditionText(condition, aliases)).join(" AND ");
  if ("put" in write) {
    const ConditionExpression = when(write.when) || undefined;
    return { Put: { TableName, Item: toAttributes(write.put), ConditionExpression, ...aliases.used() } };
  }
  if ("delete" in write) {
    const ConditionExpression = when(write.when) || undefined;
    return { Delete: { TableName, Key: toKey(write.delete), ConditionExpression, ...aliases.used() } };
  }
  if ("check" in write) {
    const ConditionExpression = when(write.when) || anything(aliases);
    return { ConditionCheck: { TableName, Key: toKey(write.check), ConditionExpression, ...aliases.used() } };
  }
  const Key = toKey(write.update);
  const ConditionExpression = when([{ item: "present" }, ...(write.when ?? [])]);
  const UpdateExpression = updateText(write, aliases);
  // An update without changes still checks that the item exists.
  if (UpdateExpression === "") return { ConditionCheck: { TableName, Key, ConditionExpression, ...aliases.used() } };
  return { Update: { TableName, Key, UpdateExpression, ConditionExpression, ...aliases.used() } };
}

interface Aliases {
  name(attribute: string): string;
  value(value: Json): string;
  used(): { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: AttributeMap };
}

/** DynamoDB refuses an empty list of names or values. */
function createAliases(): Aliases {
  const names = new Map<string, string>();
  const values: AttributeMap = {};
  return {
    name(attribute) {
      const alias = names.get(attribute) ?? `#n${names.size}`;
      names.set(attribute, alias);
      return alias;
    },
    value(value) {
      const alias = `:v${Object.keys(values).length}`;
      values[alias] = toAttribute(value);
      return alias;
    },
    used: () => ({
      ...(names.size > 0
        ? { ExpressionAttributeNames: Object.fromEntries([...names].map(([name, alias]) => [alias, name])) }
        : {}),
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    }),
  };
}

function conditionText(condition: Condition, { name, value }: Aliases): string {
  if ("item" in condition)
    return `${condition.item === "present" ? "attribute_exists" : "attribute_not_exists"}(${name("pk")})`;
  const attribute = name(condition.attribute);
  if ("missing" in condition) return `attribute_not_exists(${attribute})`;
  if ("is" in condition) return `${attribute} = ${value(condition.is)}`;
  // A missing attribute differs from every value; explicit, since emulators disagree.
  if ("isNot" in condition) return `(attribute_not_exists(${attribute}) OR ${attribute} <> ${value(condition.isNot)})`;
  if ("atMost" in condition) return `${attribute} <= ${value(condition.atMost)}`;
  if (condition.among.length === 0) return `(attribute_exists(${attribute}) AND attribute_not_exists(${attribute}))`;
  return `${attribute} IN (${condition.among.map(value).join(", ")})`;
}

const anything = ({ name }: Aliases): string =>
  `(attribute_exists(${name("pk")}) OR attribute_not_exists(${name("pk")}))`;

type Update = Extract<Write, { update: unknown }>;

function updateText({ set = {}, add = {}, remove = [] }: Update, { name, value }: Aliases): string {
  const clauses: [string, string[]][] = [
    ["SET", Object.entries(set).map(([attribute, to]) => `${name(attribute)} = ${value(to)}`)],
    ["ADD", Object.entries(add).map(([attribute, amount]) => `${name(attribute)} ${value(amount)}`)],
    ["REMOVE", remove.map(name)],
  ];
  return clauses
    .filter(([, terms]) => terms.length > 0)
    .map(([verb, terms]) => `${verb} ${terms.join(", ")}`)
    .join(" ");
}
