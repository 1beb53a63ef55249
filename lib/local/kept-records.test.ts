import { describe, expect, it } from "vitest";
import { createMemoryFiles } from "../host/memory-files.ts";
import { openSqliteTable } from "../host/sqlite-table.ts";
import { metaKey, runKey } from "../registry/keys.ts";
import { readKeptRecords, whileKept } from "./kept-records.ts";

describe("the kept records of a run", () => {
  it("are its own and its submission, however many runs the home has", async () => {
    const table = openSqliteTable(":memory:");
    const files = createMemoryFiles();
    const put = (pk: string, sk: string, fields = {}): Promise<unknown> =>
      table.transact([{ put: { pk, sk, ...fields } }]);
    for (const id of ["one", "two", "three"]) {
      await put(runKey(id), metaKey(id).sk, { submittedBy: `IDEM#${id}` });
      await put(runKey(id), "INSTR#1");
      await put(`IDEM#${id}`, metaKey("").sk);
    }
    await whileKept({ table, files }, "two", async () => undefined);
    const kept = await readKeptRecords(files, "two");
    expect(kept.map(({ pk, sk }) => `${pk} ${sk}`).toSorted()).toEqual(
      [`${runKey("two")} INSTR#1`, `${runKey("two")} ${metaKey("").sk}`, `IDEM#two ${metaKey("").sk}`].toSorted(),
    );
    expect(await readKeptRecords(files, "one")).toEqual([]);
  });
});
