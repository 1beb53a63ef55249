/** The storage of one computer keeps the contracts. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskFiles } from "../../lib/host/disk-files.ts";
import { createMemoryFiles } from "../../lib/host/memory-files.ts";
import { openSqliteTable } from "../../lib/host/sqlite-table.ts";
import { describeFileStore } from "./file-store.contract.ts";
import { describeTable } from "./table.contract.ts";

const makeFolder = () => mkdtemp(join(tmpdir(), "l2mac-contract-"));

describeTable("SQLite in memory", async () => {
  const table = openSqliteTable(":memory:");
  return { table, close: async () => table.close() };
});

describeTable("SQLite in a file, opened twice", async () => {
  const folder = await makeFolder();
  const path = join(folder, "below", "registry.sqlite");
  const table = openSqliteTable(path);
  const another = openSqliteTable(path);
  return {
    table,
    another,
    close: async () => {
      table.close();
      another.close();
      await rm(folder, { recursive: true });
    },
  };
});

describeFileStore("The memory of a replay", async () => ({ store: createMemoryFiles(), close: async () => {} }));

describeFileStore("A folder", async () => {
  const folder = await makeFolder();
  return { store: createDiskFiles(join(folder, "store")), close: () => rm(folder, { recursive: true }) };
});
