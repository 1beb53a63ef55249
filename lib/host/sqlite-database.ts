/** One SQLite file that several processes may open: waits for locks, caches statements, explains errors. */
import { mkdirSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { UserError } from "../core/errors.ts";
import { explainFile, explainSqlite, isBusy } from "./storage-errors.ts";

export interface Database {
  /** Whether no other process can have the file open. */
  isAlone: boolean;
  all(sql: string, parameters: SQLInputValue[]): Record<string, unknown>[];
  run(sql: string, parameters: SQLInputValue[]): void;
  /** A transaction: no other process writes while `work` runs, and an error rolls it back. */
  immediately<T>(work: () => T): T;
  close(): void;
}

export type DatabaseRequest = Pick<DatabaseFile, "path" | "schema"> & Partial<DatabaseFile>;

/** Another process's transaction takes microseconds; one that lasts this long is stuck. */
const BUSY_MS = 10_000;

export function openDatabase({ path, schema, ...given }: DatabaseRequest): Database {
  makeParent(path);
  const explained = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explainSqlite(error, path);
    }
  };
  const asked = { migrations: [], busyMs: BUSY_MS, lasting: true, ...given, path, schema };
  const alone = hasRoom(dirname(path)) ? undefined : openedAlone(asked);
  const database = alone ?? explained(() => opened(asked));
  const statement = statements(database);
  let open = true;
  return {
    isAlone: alone !== undefined,
    all: (sql, parameters) => explained(() => statement(sql).all(...parameters)),
    run: (sql, parameters) => void explained(() => statement(sql).run(...parameters)),
    immediately: (work) => explained(() => immediately(database, work)),
    close: () => {
      if (open) database.close();
      open = false;
    },
  };
}

function makeParent(path: string): void {
  if (path === ":memory:") return;
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw explainFile(error, dirname(path));
  }
}

interface DatabaseFile {
  path: string;
  /** Creates what a new file of the latest format holds. */
  schema: string;
  /** The first leads from format 1 to format 2, and so on. */
  migrations: readonly string[];
  busyMs: number;
  /** A power cut undoes no transaction that has ended. */
  lasting: boolean;
}

/** The shared index of the log, a file beside the database, and the log that a transaction appends to. */
const SHARED_BYTES = 65_536;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= SHARED_BYTES;
  } catch {
    return true;
  }
}

/**
 * For a full disk, where the shared index cannot be created: the only process keeps the index in memory, and still reads
 * the whole log. Undefined if another process has the file open, or if there is nothing to read.
 */
function openedAlone(asked: DatabaseFile): DatabaseSync | undefined {
  try {
    return opened({ ...asked, busyMs: 0 }, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA user_version");
  } catch {
    return undefined;
  }
}

function opened(asked: DatabaseFile, before = ""): DatabaseSync {
  const database = new DatabaseSync(asked.path);
  try {
    database.exec(before);
    return prepared(database, asked);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepared(database: DatabaseSync, asked: DatabaseFile): DatabaseSync {
  const { path, migrations, busyMs, lasting } = asked;
  database.exec(`PRAGMA busy_timeout = ${busyMs}`);
  inTurn(busyMs, () => database.exec("PRAGMA journal_mode = WAL"));
  // macOS leaves what is synced in the disk's own cache, unless it is asked not to.
  database.exec(`PRAGMA synchronous = ${lasting ? "FULL" : "NORMAL"}; PRAGMA fullfsync = ON`);
  // Readers do not wait for a writer: the schema is created only once.
  const found = formatOf(database);
  const format = migrations.length + 1;
  if (found > format) throw laterFormat(path, { found, format });
  if (found < format) immediately(database, () => migrate(database, asked));
  return database;
}

/** Within a transaction: another process may have done it meanwhile, and a kill leaves the file as it was. */
function migrate(database: DatabaseSync, { path, schema, migrations }: DatabaseFile): void {
  const found = formatOf(database);
  const format = migrations.length + 1;
  if (found > format) throw laterFormat(path, { found, format });
  const steps = found === 0 ? [schema] : migrations.slice(found - 1);
  for (const step of steps) database.exec(step);
  database.exec(`PRAGMA user_version = ${format}`);
}

/** SQLite waits for locks itself, but not when several processes switch a new file to WAL. */
function inTurn<T>(busyMs: number, work: () => T): T {
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

const PAUSE_MS = 5;

/** Stored in the file, so that later versions can migrate it. */
const formatOf = (database: DatabaseSync): number =>
  Number(database.prepare("PRAGMA user_version").get()?.user_version);

const laterFormat = (path: string, { found, format }: Record<"found" | "format", number>): UserError =>
  new UserError(`${path} is of format ${found}, which a later version of l2mac made; this one reads ${format}.`, {
    exitCode: 3,
    remedy: "Use that version, or set L2MAC_HOME to another folder. Nothing was changed.",
  });

function immediately<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const answer = work();
    database.exec("COMMIT");
    return answer;
  } catch (error) {
    undo(database);
    throw error;
  }
}

function undo(database: DatabaseSync): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has already rolled back, as it does when the disk is full.
  }
}

function statements(database: DatabaseSync): (sql: string) => StatementSync {
  const cache = new Map<string, StatementSync>();
  return (sql) => {
    const known = cache.get(sql) ?? database.prepare(sql);
    cache.set(sql, known);
    return known;
  };
}
