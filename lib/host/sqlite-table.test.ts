import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startScript } from "../../test/start-script.ts";
import { UserError } from "../core/errors.ts";
import { pageQuery, rangeQuery } from "./sqlite-queries.ts";
import { openSqliteTable } from "./sqlite-table.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-sqlite-"));
  path = join(folder, "registry.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

const key = { pk: "RUN#1", sk: "META" };
const OPEN = `
import { openSqliteTable } from ${JSON.stringify(new URL("./sqlite-table.ts", import.meta.url).href)};
import { DatabaseSync } from "node:sqlite";
const [, path] = process.argv;
const key = ${JSON.stringify(key)};
`;

test("keeps its items when it is closed, which may be done twice", async () => {
  const table = openSqliteTable(path);
  await table.transact([{ put: { ...key, a: 1 } }]);
  table.close();
  table.close();
  const again = openSqliteTable(path);
  expect(await again.get(key)).toEqual({ ...key, a: 1 });
  again.close();
});

test("a process that never lets go: one error that names the file, and nothing changed", async () => {
  const table = openSqliteTable(path, { busyMs: 20 });
  await table.transact([{ put: { ...key, a: 1 } }]);
  const stuck = new DatabaseSync(path);
  stuck.exec("BEGIN IMMEDIATE");
  const refused = table.transact([{ put: { ...key, a: 2 } }]);
  await expect(refused).rejects.toBeInstanceOf(UserError);
  await expect(refused).rejects.toMatchObject({ exitCode: 6, message: expect.stringContaining(path) });
  await expect(refused).rejects.toThrow("is locked by another process");
  expect(await table.get(key)).toEqual({ ...key, a: 1 });
  stuck.close();
  expect(await table.transact([{ put: { ...key, a: 3 } }])).toEqual({ ok: true });
  table.close();
});

test("a reader opens and reads while another process writes", async () => {
  openSqliteTable(path).close();
  const writing = new DatabaseSync(path);
  writing.exec("BEGIN IMMEDIATE");
  const table = openSqliteTable(path, { busyMs: 0 });
  expect(await table.get(key)).toBeUndefined();
  table.close();
  writing.close();
});

test("a new file that another process never lets go: an error, not a wait without end", () => {
  const stuck = new DatabaseSync(path);
  stuck.exec("BEGIN EXCLUSIVE");
  expect(() => openSqliteTable(path, { busyMs: 20 })).toThrow("is locked by another process");
  stuck.close();
});

test.each([
  ["opening a new file", "BEGIN IMMEDIATE"],
  ["opening a file that is being made", "BEGIN EXCLUSIVE"],
  ["writing", "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE"],
])("waits for another process that lets go after a moment: %s", async (_, hold) => {
  const source = `const database = new DatabaseSync(path);
    database.exec(${JSON.stringify(hold)});
    console.log("held");
    setTimeout(() => database.close(), 100);`;
  const holder = startScript(OPEN + source, path);
  expect(await holder.line()).toBe("held");
  const table = openSqliteTable(path);
  expect(await table.transact([{ put: key }])).toEqual({ ok: true });
  table.close();
  holder.letGo();
  await holder.ended();
});

test("several processes that open a new file at once and count in it lose nothing", async () => {
  const source = `const table = openSqliteTable(path, { busyMs: 120_000 });
    await table.transact([{ put: { ...key, count: 0 }, when: [{ item: "absent" }] }]);
    for (let done = 0; done < 40; ) {
      const { count } = await table.get(key);
      const when = [{ attribute: "count", is: count }];
      const { ok } = await table.transact([{ update: key, set: { count: count + 1 }, when }]);
      if (ok) done += 1;
    }
    table.close();
    process.exit();`;
  const counting = [1, 2, 3].map(() => startScript(OPEN + source, path));
  await Promise.all(counting.map((script) => script.ended()));
  const table = openSqliteTable(path);
  expect(await table.get(key)).toEqual({ ...key, count: 120 });
  table.close();
});

test("a killed process leaves whole transactions, every one that was confirmed, and no lock", async () => {
  const source = `const table = openSqliteTable(path);
    await table.transact([{ put: { pk: "a", sk: "a" } }, { put: { pk: "b", sk: "b" } }]);
    for (let count = 1; ; count += 1) {
      await table.transact(["a", "b"].map((of) => ({ update: { pk: of, sk: of }, add: { count: 1 } })));
      console.log(count);
      await new Promise(setImmediate);
    }`;
  const writer = startScript(OPEN + source, path);
  let confirmed = 0;
  while (confirmed < 300) confirmed = Number(await writer.line());
  await writer.kill();
  const table = openSqliteTable(path, { busyMs: 0 });
  const counts = [await table.get({ pk: "a", sk: "a" }), await table.get({ pk: "b", sk: "b" })].map(
    (item) => item?.count,
  );
  expect(counts[0]).toBe(counts[1]);
  expect(counts[0]).toBeGreaterThanOrEqual(confirmed);
  expect(await table.transact([{ put: key }])).toEqual({ ok: true });
  table.close();
});

test("no query looks at more items than it gives, and none sorts", () => {
  openSqliteTable(path).close();
  const database = new DatabaseSync(path);
  const position = ["1", "2", "3"];
  const queries = [
    rangeQuery("p", { prefix: "" }),
    rangeQuery("p", { prefix: "A", after: "AB", limit: 1 }),
    rangeQuery("p", { prefix: "A", after: "AB", reverse: true }),
    pageQuery("due", { partition: "0", upTo: "9", limit: 1 }, undefined),
    pageQuery("due", { partition: "0", upTo: "9", limit: 1 }, position),
    pageQuery("owner", { partition: "me", limit: 1, reverse: true }, position),
  ];
  for (const { sql, parameters } of queries) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
    expect(plan).toEqual([{ detail: expect.stringMatching(/^SEARCH items USING (PRIMARY KEY|INDEX)/), ...ANY_NODE }]);
  }
  database.close();
});

const ANY_NODE = { id: expect.any(Number), parent: expect.any(Number), notused: expect.any(Number) };

test.each([0, -1, 1.5])("a limit of %d is a bug", async (limit) => {
  const table = openSqliteTable(":memory:");
  await expect(table.query("p", { prefix: "", limit })).rejects.toThrow("is none");
  await expect(table.index("due", { partition: "0", limit })).rejects.toThrow("is none");
  table.close();
});
