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
  database = openDatabase(join(folder, "a", "b", "notes.sqlite"), SCHEMA);
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

test("survives a killed process and several readers: a log beside the file, synced at checkpoints", () => {
  expect(database.all("PRAGMA journal_mode", [])).toEqual([{ journal_mode: "wal" }]);
  expect(database.all("PRAGMA synchronous", [])).toEqual([{ synchronous: 1 }]);
});
