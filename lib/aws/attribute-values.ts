/** Converts registry values to DynamoDB attribute values. AWS's own converter fails on keys like `constructor`. */
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Attributes, Item, ItemKey } from "../core/ports.ts";
import type { Json } from "../core/text/json.ts";

export type AttributeMap = Record<string, AttributeValue>;

/** Members whose value is undefined are left out, as in JSON. */
export const toAttributes = (members: Attributes): AttributeMap =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, toAttribute(value)]])),
  );

/** Ignores other members of the object. */
export const toKey = ({ pk, sk }: ItemKey): AttributeMap => toAttributes({ pk, sk });

export const itemOf = (attributes: AttributeMap): Item => fromAttributes(attributes) as Item;

export function toAttribute(value: Json): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === "string") return { S: value };
  if (typeof value === "boolean") return { BOOL: value };
  if (typeof value === "number") return { N: numberText(value) };
  return Array.isArray(value) ? { L: value.map(toAttribute) } : { M: toAttributes(value) };
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`${value} is not a number that an item can hold.`);
  return String(value);
}

const fromAttributes = (attributes: AttributeMap): Attributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, fromAttribute(value)]));

function fromAttribute(value: AttributeValue): Json {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.L !== undefined) return value.L.map(fromAttribute);
  if (value.M !== undefined) return fromAttributes(value.M);
  throw new Error(`The registry holds a value that this program never writes: ${Object.keys(value)}.`);
}
