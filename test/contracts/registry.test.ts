import { openSqliteTable } from "../../lib/host/sqlite-table.ts";
import { describeRegistry } from "./registry.contract.ts";

describeRegistry("SQLite in memory", async () => {
  const table = openSqliteTable(":memory:");
  return { table, close: async () => table.close() };
});
