/** What DynamoDB asks of a transaction. Every table enforces it, so that what passes on one computer passes there. */
import { ITEM_BYTES, PARTITION_KEY_BYTES, SORT_KEY_BYTES, TRANSACTION_BYTES, TRANSACTION_WRITES } from "../limits.ts";
import type { Attributes, Item, ItemKey, Write } from "../ports.ts";
import { byteLength } from "../text/file-text.ts";
import type { Json } from "../text/json.ts";
import { keyOf } from "./conditions.ts";
import { indexedAttributes } from "./table-indexes.ts";

/** Before anything is read. A breach is a bug of ours: a plain Error. */
export function assertTransaction(writes: Write[]): void {
  if (writes.length < 1 || writes.length > TRANSACTION_WRITES) {
    throw new Error(`A transaction takes 1 to ${TRANSACTION_WRITES} writes; this one has ${writes.length}.`);
  }
  const seen = new Set<string>();
  for (const write of writes) {
    const key = keyOf(write);
    assertKey(key);
    if ("update" in write) assertUpdate(write);
    const identity = JSON.stringify([key.pk, key.sk]);
    if (seen.has(identity)) throw new Error(`A transaction names ${nameOf(key)} twice.`);
    seen.add(identity);
  }
}

/** What the transaction is about to leave behind. */
export function assertItems(items: Item[]): void {
  let total = 0;
  for (const item of items) {
    const bytes = itemBytes(item);
    if (bytes > ITEM_BYTES) throw new Error(`${nameOf(item)} has ${bytes} bytes; an item takes ${ITEM_BYTES}.`);
    for (const attribute of indexedAttributes) assertIndexable(item, attribute);
    total += bytes;
  }
  if (total > TRANSACTION_BYTES) {
    throw new Error(`The items of a transaction have ${total} bytes together; it takes ${TRANSACTION_BYTES}.`);
  }
}

/** As DynamoDB counts: names and values in UTF-8, three bytes more for a list or map and one for each of its members. */
export function itemBytes(item: Item): number {
  return membersBytes(item);
}

const nameOf = ({ pk, sk }: ItemKey): string => `item ${pk} / ${sk}`;

function assertKey({ pk, sk }: ItemKey): void {
  assertKeyPart(pk, PARTITION_KEY_BYTES);
  assertKeyPart(sk, SORT_KEY_BYTES);
}

function assertKeyPart(value: unknown, limit: number): void {
  if (typeof value !== "string" || value === "") throw new Error("The parts of an item's key are non-empty strings.");
  if (!value.isWellFormed()) throw new Error("The key of an item is not well-formed Unicode.");
  const bytes = byteLength(value);
  if (bytes > limit) throw new Error(`A part of an item's key has ${bytes} bytes; it takes ${limit}: ${value}`);
}

function assertUpdate({ update, set = {}, add = {}, remove = [] }: Extract<Write, { update: ItemKey }>): void {
  const names = [...Object.keys(set), ...Object.keys(add), ...remove];
  if (names.includes("pk") || names.includes("sk"))
    throw new Error(`An update cannot change the key of ${nameOf(update)}.`);
  if (new Set(names).size < names.length) throw new Error(`An update of ${nameOf(update)} names an attribute twice.`);
  const unset = Object.keys(set).find((name) => set[name] === undefined);
  if (unset !== undefined)
    throw new Error(`An update of ${nameOf(update)} sets ${unset} to nothing: remove it instead.`);
}

function assertIndexable(item: Item, attribute: string): void {
  const value = item[attribute];
  if (value === undefined || (typeof value === "string" && value !== "" && value.isWellFormed())) return;
  throw new Error(`${attribute} of ${nameOf(item)} is indexed: a non-empty string or not there.`);
}

/** 38 digits at most, two in a byte; no number of JavaScript takes more than this. */
const NUMBER_BYTES = 11;
const NEST_BYTES = 3;

function valueBytes(value: Json): number {
  if (typeof value === "string") return byteLength(value);
  if (typeof value === "number") return numberBytes(value);
  if (value === null || typeof value === "boolean") return 1;
  if (Array.isArray(value)) return NEST_BYTES + value.reduce<number>((sum, entry) => sum + 1 + valueBytes(entry), 0);
  if (typeof value === "object") return NEST_BYTES + Object.keys(value).length + membersBytes(value);
  throw new Error(`A ${typeof value} is not a value that an item can hold.`);
}

function numberBytes(value: number): number {
  if (!Number.isFinite(value)) throw new Error(`${value} is not a number that an item can hold.`);
  return NUMBER_BYTES;
}

/** A member whose value is undefined is none, as in JSON. */
function membersBytes(members: Attributes): number {
  let sum = 0;
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    if (name === "") throw new Error("An item cannot hold a member without a name.");
    sum += byteLength(name) + valueBytes(value);
  }
  return sum;
}
