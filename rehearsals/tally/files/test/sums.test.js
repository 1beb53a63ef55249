import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { budgetRows, readBudgets, setBudget } from "../src/budgets.js";
import { totals } from "../src/sums.js";

const entries = [
  { date: "2026-11-01", cents: 70000, category: "rent", note: "" },
  { date: "2026-10-09", cents: 10000, category: "food", note: "" },
  { date: "2026-11-09", cents: 20000, category: "food", note: "" },
];
const newFile = async () => join(await mkdtemp(join(tmpdir(), "tally-")), "budgets.json");

test("categories are added up, the greatest first", () => {
  assert.deepEqual(totals(entries), [
    { name: "rent", cents: 70000, share: 70, bar: "#".repeat(20) },
    { name: "food", cents: 30000, share: 30, bar: "#".repeat(9) },
  ]);
});

test("months are added up in their order", () => {
  assert.deepEqual(
    totals(entries, "month").map((row) => [row.name, row.cents]),
    [
      ["2026-10", 10000],
      ["2026-11", 90000],
    ],
  );
});

test("nothing has no sums, and a refund has no bar", () => {
  assert.deepEqual(totals([]), []);
  assert.equal(totals([{ date: "2026-11-01", cents: -500, category: "food", note: "" }])[0].bar, "");
});

test("budgets are kept in a file, and a later limit replaces an earlier", async () => {
  const file = await newFile();
  await setBudget(file, "food", 30000);
  await setBudget(file, "rent", 70000);
  await setBudget(file, "food", 25000);
  assert.deepEqual([...(await readBudgets(file))], [["food", 25000], ["rent", 70000]]);
});

test("what is left of a budget can be less than nothing", () => {
  assert.deepEqual(budgetRows(new Map([["food", 25000]]), entries), [
    { category: "food", limit: 25000, spent: 30000, left: -5000 },
  ]);
});

test("damaged budgets are refused in words", async () => {
  const file = await newFile();
  for (const text of ["{", "null", '{"food": true}']) {
    await writeFile(file, text);
    await assert.rejects(readBudgets(file), { exitCode: 1, message: /^the budgets are damaged: / });
  }
});
