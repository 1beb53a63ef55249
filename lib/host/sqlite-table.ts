/** The registry's table on one computer: one SQLite file, conditions evaluated inside the transaction. */
import type { SQLInputValue } from "node:sqlite";
import type {
  IndexName,
  IndexPage,
  IndexRange,
  Item,
  ItemKey,
  ItemRange,
  Table,
  Write,
  Written,
} from "../core/ports.ts";
import { accepts, applyWrite, keyOf } from "../core/store/conditions.ts";
import { fromCursor, toCursor } from "../core/store/cursor.ts";
import { indexAttributes, indexEntry, indexedAttributes, indexPosition } from "../core/store/table-indexes.ts";
import { assertItems, assertTransaction } from "../core/store/transaction-rules.ts";
import { type Database, openDatabase } from "./sqlite-database.ts";
import { pageQuery, rangeQuery } from "./sqlite-queries.ts";

export interface LocalTable extends Table {
  /** Whether no other process can have the registry open. */
  isAlone?: boolean;
  close(): void;
}

export function openSqliteTable(path: string, options: { busyMs?: number; lasting?: boolean } = {}): LocalTable {
  const database = openDatabase({ path, schema: SCHEMA, migrations: MIGRATIONS, ...options });
  return {
    isAlone: database.isAlone,
    get: async (key) => read(database, key),
    query: async (pk, range) => query(database, pk, range),
    index: async (name, range) => page(database, name, range),
    transact: async (writes) => transact(database, writes),
    close: database.close,
  };
}

const columns = indexedAttributes.join(", ");
const places = indexedAttributes.map(() => "?").join(", ");

/** Text is compared byte by byte, which is how DynamoDB sorts. */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS items (
    pk TEXT NOT NULL, sk TEXT NOT NULL, body TEXT NOT NULL,
    ${indexedAttributes.map((attribute) => `${attribute} TEXT`).join(", ")},
    PRIMARY KEY (pk, sk)
  ) WITHOUT ROWID`,
  ...Object.entries(indexAttributes).map(
    ([name, { partition, sort }]) =>
      `CREATE INDEX IF NOT EXISTS by_${name} ON items (${partition}, ${sort}, pk, sk)
       WHERE ${partition} IS NOT NULL AND ${sort} IS NOT NULL`,
  ),
].join(";");
/** A change of the schema adds its statements here: the first entry makes a file of format 2 of one of format 1. */
const MIGRATIONS: readonly string[] = [];
const GET = "SELECT body FROM items WHERE pk = ? AND sk = ?";
const PUT = `INSERT OR REPLACE INTO items (pk, sk, body, ${columns}) VALUES (?, ?, ?, ${places})`;
const DELETE = "DELETE FROM items WHERE pk = ? AND sk = ?";

const itemOf = (row: Record<string, unknown>): Item => JSON.parse(String(row.body));

function read(database: Database, { pk, sk }: ItemKey): Item | undefined {
  const [row] = database.all(GET, [pk, sk]);
  return row && itemOf(row);
}

function query(database: Database, pk: string, range: ItemRange): Item[] {
  const { sql, parameters } = rangeQuery(pk, range);
  return database.all(sql, parameters).map(itemOf);
}

function page(database: Database, name: IndexName, range: IndexRange): IndexPage {
  const after = range.cursor === undefined ? undefined : fromCursor(range.cursor, 3);
  const { sql, parameters } = pageQuery(name, range, after);
  const found = database.all(sql, parameters).map((row) => indexEntry(name, itemOf(row)));
  const items = found.slice(0, range.limit);
  const last = items.at(-1);
  return last && found.length > items.length ? { items, cursor: toCursor(indexPosition(name, last)) } : { items };
}

function transact(database: Database, writes: Write[]): Written {
  assertTransaction(writes);
  return database.immediately(() => {
    const planned = writes.map((write) => ({ write, before: read(database, keyOf(write)) }));
    const refused = planned.flatMap(({ write, before }, index) => (accepts(write, before) ? [] : [index]));
    if (refused.length > 0) return { ok: false, refused };
    const changed = planned
      .filter(({ write }) => !("check" in write))
      .map(({ write, before }) => ({ key: keyOf(write), item: applyWrite(write, before) }));
    assertItems(changed.flatMap(({ item }) => item ?? []));
    for (const { key, item } of changed) store(database, key, item);
    return { ok: true };
  });
}

function store(database: Database, { pk, sk }: ItemKey, item: Item | undefined): void {
  if (!item) {
    database.run(DELETE, [pk, sk]);
    return;
  }
  const indexed: SQLInputValue[] = indexedAttributes.map((attribute) => {
    const value = item[attribute];
    return typeof value === "string" ? value : null;
  });
  database.run(PUT, [pk, sk, JSON.stringify(item), ...indexed]);
}
