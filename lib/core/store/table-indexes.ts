/** The sparse indexes of the table: an item is in one while it has both of its attributes. */
import type { IndexName, Item } from "../ports.ts";

export const indexAttributes: Record<IndexName, { partition: string; sort: string }> = {
  due: { partition: "activeShard", sort: "dueAt" },
  owner: { partition: "owner", sort: "createdAt" },
};

export const indexedAttributes: string[] = Object.values(indexAttributes).flatMap(({ partition, sort }) => [
  partition,
  sort,
]);

/** What a cursor of this index points at. */
export const indexPosition = (name: IndexName, item: Item): string[] => [
  String(item[indexAttributes[name].sort]),
  item.pk,
  item.sk,
];

/** What an index holds of an item: a write that changes nothing of it costs the index nothing. */
export function indexEntry(name: IndexName, item: Item): Item {
  const { partition, sort } = indexAttributes[name];
  return { pk: item.pk, sk: item.sk, [partition]: item[partition] ?? null, [sort]: item[sort] ?? null };
}
