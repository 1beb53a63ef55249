import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { addEntry, readLedger } from "../src/ledger.js";

const newFile = async () => join(await mkdtemp(join(tmpdir(), "tally-")), "ledger.csv");
const lunch = { date: "2026-11-05", cents: 1250, category: "food", note: 'soup, "bread"\nand tea' };

test("a ledger that is not there yet is empty", async () => {
  assert.deepEqual(await readLedger(await newFile()), []);
});

test("entries come back as they were added", async () => {
  const file = await newFile();
  await addEntry(file, lunch);
  await addEntry(file, { ...lunch, cents: -300, note: "" });
  assert.deepEqual(await readLedger(file), [lunch, { ...lunch, cents: -300, note: "" }]);
  assert.match(await readFile(file, "utf8"), /^date,amount,category,note\n2026-11-05,12\.50,food,/);
});

test("a last line without its end does not swallow the next entry", async () => {
  const file = await newFile();
  await writeFile(file, "date,amount,category,note\n2026-11-01,1.00,food,");
  await addEntry(file, lunch);
  assert.equal((await readLedger(file)).length, 2);
});

test("a damaged line is named, and nothing is added to it", async () => {
  const file = await newFile();
  for (const damage of ["2026-11-31,1.00,food,", "2026-11-01,much,food,", "2026-11-01,1.00"]) {
    const text = "date,amount,category,note\n2026-11-01,1.00,food,\n" + damage + "\n";
    await writeFile(file, text);
    await assert.rejects(addEntry(file, lunch), { exitCode: 1, message: /^line 3: / });
    assert.equal(await readFile(file, "utf8"), text);
  }
});
