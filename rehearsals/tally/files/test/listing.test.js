import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder, narrow } from "../src/filter.js";
import { oneLine, table } from "../src/table.js";

const entry = (date, category, note = "") => ({ date, cents: 100, category, note });
const entries = [
  entry("2026-11-05", "food", "first of the day"),
  entry("2026-10-31", "rent"),
  entry("2026-11-05", "food", "second of the day"),
  entry("2026-01-09", "food"),
];

test("entries are shown oldest first", () => {
  assert.deepEqual(
    inOrder(entries).map((each) => each.date),
    ["2026-01-09", "2026-10-31", "2026-11-05", "2026-11-05"],
  );
});

test("entries of one day keep their order, and the list that was given stays as it was", () => {
  const before = [...entries];
  assert.deepEqual(
    inOrder(entries).slice(-2).map((each) => each.note),
    ["first of the day", "second of the day"],
  );
  assert.deepEqual(entries, before);
});

test("month and category narrow alone and together", () => {
  assert.equal(narrow(entries).length, 4);
  assert.equal(narrow(entries, { month: "2026-11" }).length, 2);
  assert.equal(narrow(entries, { category: "food" }).length, 3);
  assert.deepEqual(narrow(entries, { month: "2026-10", category: "food" }), []);
});

test("columns are as wide as their widest cell, amounts end together", () => {
  const text = table(
    [
      ["food", "5.00", "soup"],
      ["rent", "700.00", ""],
    ],
    { right: [1] },
  );
  assert.equal(text, "food    5.00  soup\nrent  700.00");
});

test("a table without rows is empty, and a note of two lines takes one", () => {
  assert.equal(table([]), "");
  assert.equal(oneLine("soup\nand  tea "), "soup and tea");
});
