/** Part 4 of tally: listing. Its sort compares by true and false: the gate shows the failing test. */
import type { Part } from "../../scene.ts";
import { testFails } from "../../scene-findings.ts";
import { complete, flawed, write } from "../calls.ts";
import { source } from "../source.ts";

const filterModule = source`
/** Which entries are looked at, and in which order. */
import { monthOf } from "./dates.js";

/** Absent wishes narrow nothing. */
export const narrow = (entries, { month, category } = {}) =>
  entries.filter(
    (entry) =>
      (month === undefined || monthOf(entry.date) === month) &&
      (category === undefined || entry.category === category),
  );

/** Oldest first; entries of one day stay in the order in which they were added. */
export const inOrder = (entries) => entries.toSorted((a, b) => a.date.localeCompare(b.date));
`;

const tableModule = source`
/** Rows of text as aligned columns. */

/** The columns named in right are aligned at their end, as amounts should be. */
export function table(rows, { right = [] } = {}) {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  const cell = (text, at) => (right.includes(at) ? text.padStart(widths[at]) : text.padEnd(widths[at]));
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}

/** A note of several lines takes one in a table. */
export const oneLine = (text) => text.replace(/\s+/g, " ").trim();
`;

const listingTest = source`
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
`;

const slip = flawed("src/filter.js", filterModule, {
  right: "a.date.localeCompare(b.date)",
  wrong: "a.date > b.date",
});

export const listing: Part = {
  title: "List entries in order and in columns",
  text: "Write what `list` needs: narrowing by month and category, the order of dates (entries of one day keep theirs), and a table with aligned columns, amounts at their right end. Test each.",
  requirements: ["R3"],
  repairs: [
    {
      say: "The order is wrong: a comparison that only says true or false never sorts backwards. It must compare the dates.",
      sees: testFails("entries are shown oldest first"),
      ...slip.mend,
    },
  ],
  beats: [
    {
      say: "Narrowing, order and the table: three small pure functions and their tests.",
      calls: [
        write({ "src/filter.js": slip.content, "src/table.js": tableModule, "test/listing.test.js": listingTest }),
      ],
    },
    {
      say: "That is all a list needs.",
      calls: [
        complete(
          "src/filter.js: narrow(entries, {month, category}) and inOrder(entries). src/table.js: table(rows, {right: [columns]}) and oneLine(text).",
          "Sums can use narrow for the month of a budget, and table for showing.",
        ),
      ],
    },
  ],
};
