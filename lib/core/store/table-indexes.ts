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
