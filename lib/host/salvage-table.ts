/** What can still be read of a damaged table: from the front and from the back, of all and of each partition. */
import { DatabaseSync } from "node:sqlite";
import type { Item } from "../core/ports.ts";

export interface Salvaged {
  items: Map<string, Item>;
  /** Nothing is missing, also of the rest of the file. */
  isWhole: boolean;
  /** Partitions of which something cannot be read. */
  torn: Set<string>;
}

export const placeOf = ({ pk, sk }: Pick<Item, "pk" | "sk">): string => `${pk}\n${sk}`;

export function salvageTable(path: string, partitions: string[]): Salvaged {
  const items = new Map<string, Item>();
  const none = { items, isWhole: false, torn: new Set(partitions) };
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const isWhole = isSound(database) && isRead(database, { items });
      const torn = isWhole ? [] : partitions.filter((partition) => !isRead(database, { items, partition }));
      return { items, isWhole, torn: new Set(torn) };
    } finally {
      database.close();
    }
  } catch {
    return none;
  }
}

function isSound(database: DatabaseSync): boolean {
  try {
    return database.prepare("PRAGMA quick_check").get()?.quick_check === "ok";
  } catch {
    return false;
  }
}

/** Answers whether all could be read. What lies behind a damaged page is reached from the other end. */
function isRead(
  database: DatabaseSync,
  { items, partition }: { items: Map<string, Item>; partition?: string },
): boolean {
  let isWhole = true;
  for (const order of ["ASC", "DESC"]) {
    try {
      const where = partition === undefined ? "" : "WHERE pk = ?";
      const rows = database.prepare(`SELECT body FROM items ${where} ORDER BY pk ${order}, sk ${order}`);
      for (const { body } of rows.iterate(...(partition === undefined ? [] : [partition]))) {
        const item = JSON.parse(String(body)) as Item;
        items.set(placeOf(item), item);
      }
    } catch {
      isWhole = false;
    }
  }
  return isWhole;
}
