import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "./sqlite-database.ts";

const SCHEMA = "CREATE TABLE notes (text TEXT)";
let folder = "";
let database: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-database-"));
  database = openDatabase({ path: join(folder, "a", "b", "notes.sqlite"), schema: SCHEMA });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const notes = (): unknown[] => database.all("SELECT text FROM notes", []).map(({ text }) => text);
const note = (text: string): void => database.run("INSERT INTO notes VALUES (?)", [text]);

test("keeps what the work did, and gives back what it answered", () => {
  const answer = database.immediately(() => {
    note("one");
    return "two";
  });
  expect([answer, ...notes()]).toEqual(["two", "one"]);
});

test("undoes what the work did before it threw, and is ready for the next", () => {
  const broken = () =>
    database.immediately(() => {
      note("lost");
      throw new Error("a bug");
    });
  expect(broken).toThrow("a bug");
  expect(notes()).toEqual([]);
  database.immediately(() => note("kept"));
  expect(notes()).toEqual(["kept"]);
});

test("undoes what was done before the disk was full", () => {
  database.all("PRAGMA max_page_count = 4", []);
  const tooMuch = () =>
    database.immediately(() => {
      note("lost");
      note("x".repeat(100_000));
    });
  expect(tooMuch).toThrow("notes.sqlite could not be written because the disk is full; nothing that was stored");
  expect(notes()).toEqual([]);
  database.immediately(() => note("kept"));
  expect(notes()).toEqual(["kept"]);
});

test("survives a killed process, several readers and a power cut: a log beside the file, synced at each commit", () => {
  expect(database.all("PRAGMA journal_mode", [])).toEqual([{ journal_mode: "wal" }]);
  expect(database.all("PRAGMA synchronous", [])).toEqual([{ synchronous: 2 }]);
});

/** The same file, as later versions declare it. */
const WITH_AUTHOR = "ALTER TABLE notes ADD COLUMN author TEXT DEFAULT 'not known'";
const later = (...migrations: string[]): Database =>
  openDatabase({ path: join(folder, "a", "b", "notes.sqlite"), schema: SCHEMA, migrations });
const formatOf = (open: Database): unknown => open.all("PRAGMA user_version", [])[0]?.user_version;

test("a file of an earlier format is migrated when it is opened, step by step, and keeps what it holds", () => {
  note("kept");
  const migrated = later(WITH_AUTHOR, "CREATE INDEX by_author ON notes (author)");
  expect(formatOf(migrated)).toBe(3);
  expect(migrated.all("SELECT * FROM notes", [])).toEqual([{ text: "kept", author: "not known" }]);
  migrated.close();
  const again = later(WITH_AUTHOR, "CREATE INDEX by_author ON notes (author)");
  expect(formatOf(again)).toBe(3);
  again.close();
  expect(() => later(WITH_AUTHOR)).toThrow("is of format 3, which a later version of l2mac made; this one reads 2.");
});

test("a migration that fails leaves the file as it was", () => {
  note("kept");
  expect(() => later(WITH_AUTHOR, "CREATE INDEX by_author ON gone (author)")).toThrow("gone");
  expect(formatOf(database)).toBe(1);
  expect(database.all("SELECT * FROM notes", [])).toEqual([{ text: "kept" }]);
});
