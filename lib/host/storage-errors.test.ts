import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { UserError } from "../core/errors.ts";
import { explainFile, explainSqlite } from "./storage-errors.ts";

const folder = mkdtempSync(join(tmpdir(), "l2mac-errors-"));
afterAll(() => rmSync(folder, { recursive: true }));

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};
const expectError = (error: unknown, text: string, exitCode: number): void => {
  expect(error).toBeInstanceOf(UserError);
  expect(error).toMatchObject({ exitCode, message: expect.stringContaining(text), remedy: expect.anything() });
};

test("a full disk: says that nothing is lost, and that the database goes on once there is space", () => {
  const database = new DatabaseSync(join(folder, "full.sqlite"));
  database.exec("CREATE TABLE kept (text); INSERT INTO kept VALUES ('before'); PRAGMA max_page_count = 3");
  const error = thrownBy(() => database.prepare("INSERT INTO kept VALUES (?)").run("x".repeat(100_000)));
  expectError(
    explainSqlite(error, "/registry"),
    "/registry could not be written because the disk is full; nothing that was",
    6,
  );
  expect(database.prepare("SELECT * FROM kept").all()).toEqual([{ text: "before" }]);
  database.close();
});

test("a lock that is not let go: says that another process holds it", () => {
  const [one, other] = [new DatabaseSync(join(folder, "busy")), new DatabaseSync(join(folder, "busy"))];
  one.exec("BEGIN EXCLUSIVE");
  const error = thrownBy(() => other.exec("BEGIN IMMEDIATE"));
  expectError(explainSqlite(error, "/registry"), "/registry is locked by another process", 6);
  one.close();
  other.close();
});

test("a file that is something else, and a folder that is a file", () => {
  writeFileSync(join(folder, "text"), "not a database ".repeat(100));
  const database = new DatabaseSync(join(folder, "text"));
  expectError(
    explainSqlite(
      thrownBy(() => database.exec("PRAGMA journal_mode = WAL")),
      "/registry",
    ),
    "is damaged, or is not",
    6,
  );
  database.close();
  expectError(
    explainSqlite(
      thrownBy(() => new DatabaseSync(join(folder, "text", "below"))),
      "/registry",
    ),
    "cannot be opened",
    3,
  );
});

test.each([
  ["ENOSPC", "could not be written because the disk is full", 6],
  ["EDQUOT", "could not be written because the disk is full", 6],
  ["EROFS", "cannot be opened for writing", 3],
  ["EACCES", "cannot be opened for writing", 3],
])("a file that cannot be written: %s", (code, text, exitCode) => {
  expectError(explainFile(Object.assign(new Error(code), { code }), "/runs/1/x"), `/runs/1/x ${text}`, exitCode);
});

test("keeps the cause, and passes on what it does not know", () => {
  const cause = Object.assign(new Error("no space"), { code: "ENOSPC" });
  expect(explainFile(cause, "/x")).toMatchObject({ cause });
  for (const error of [new Error("a bug"), Object.assign(new Error("x"), { code: "EMFILE" }), "text", undefined]) {
    expect(explainFile(error, "/x")).toBe(error);
    expect(explainSqlite(error, "/x")).toBe(error);
  }
});
