/** Conditions and writes of the table, applied to an item in memory. Pure: for tables that have none of their own. */
import type { Condition, Item, ItemKey, Write } from "../ports.ts";
import type { Json } from "../text/json.ts";

type Update = Extract<Write, { update: ItemKey }>;

/** Whether the condition holds for the stored item; undefined: there is no such item. */
export function holds(condition: Condition, item: Item | undefined): boolean {
  if ("item" in condition) return condition.item === (item ? "present" : "absent");
  const value = attributeOf(item, condition.attribute);
  if ("missing" in condition) return value === undefined;
  // As in DynamoDB: what is not there differs from everything, and equals nothing.
  if ("isNot" in condition) return value === undefined || !sameJson(value, condition.isNot);
  if (value === undefined) return false;
  if ("is" in condition) return sameJson(value, condition.is);
  if ("among" in condition) return condition.among.some((candidate) => sameJson(value, candidate));
  return typeof value === "number" && value <= condition.atMost;
}

/** Whether the write may happen to the stored item. */
export function accepts(write: Write, item: Item | undefined): boolean {
  if ("update" in write && !item) return false;
  return (write.when ?? []).every((condition) => holds(condition, item));
}

/** The item after the write; undefined: there is none. */
export function applyWrite(write: Write, item: Item | undefined): Item | undefined {
  if ("put" in write) return write.put;
  if ("update" in write) return updated(write, item);
  return "delete" in write ? undefined : item;
}

export function keyOf(write: Write): ItemKey {
  if ("put" in write) return write.put;
  if ("update" in write) return write.update;
  return "delete" in write ? write.delete : write.check;
}

function updated(write: Update, item: Item | undefined): Item {
  if (!item) throw new Error(`There is no item ${write.update.pk} / ${write.update.sk} to update.`);
  const sums = Object.entries(write.add ?? {}).map(([name, amount]) => [name, sum(item, { name, amount })]);
  const next = { ...item, ...write.set, ...Object.fromEntries(sums) };
  const removed = new Set(write.remove);
  return Object.fromEntries(Object.entries(next).filter(([name]) => !removed.has(name))) as Item;
}

function sum(item: Item, { name, amount }: { name: string; amount: number }): number {
  const value = attributeOf(item, name);
  if (value === undefined) return amount;
  if (typeof value !== "number") throw new Error(`${name} of ${item.pk} / ${item.sk} is not a number to add to.`);
  return value + amount;
}

/** Own attributes only: `constructor` is missing unless it was written. */
const attributeOf = (item: Item | undefined, name: string): Json | undefined =>
  item && Object.hasOwn(item, name) ? item[name] : undefined;

function sameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    return Array.isArray(one) && Array.isArray(other) && sameList(one, other);
  }
  return sameMap(one, other);
}

const sameList = (one: Json[], other: Json[]): boolean =>
  one.length === other.length && one.every((value, index) => sameJson(value, other[index] ?? null));

function sameMap(one: { [key: string]: Json }, other: { [key: string]: Json }): boolean {
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([name, value]) => Object.hasOwn(other, name) && sameJson(value, other[name] ?? null))
  );
}
