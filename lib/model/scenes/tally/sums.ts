/** Part 5 of tally: sums and budgets. The first draft of the program forgets the budgets. */
import type { Part } from "../../scene.ts";
import { checks, complete, read, write } from "../calls.ts";
import { source } from "../source.ts";

const sumsModule = source`
/** Totals by category or by month, each with its share and a bar. */
import { monthOf } from "./dates.js";
import { sumAmounts } from "./money.js";

const BAR_LENGTH = 20;

/** Categories come greatest first, months in their order. Shares are whole per cents. */
export function totals(entries, by = "category") {
  const sums = new Map();
  for (const entry of entries) {
    const name = by === "month" ? monthOf(entry.date) : entry.category;
    sums.set(name, (sums.get(name) ?? 0) + entry.cents);
  }
  const amounts = [...sums.values()];
  const all = sumAmounts(amounts);
  const greatest = Math.max(1, ...amounts);
  const rows = [...sums].map(([name, cents]) => ({
    name,
    cents,
    share: all === 0 ? 0 : Math.round((cents * 100) / all),
    bar: "#".repeat(Math.round((Math.max(0, cents) * BAR_LENGTH) / greatest)),
  }));
  return rows.sort((a, b) => (by === "month" ? a.name.localeCompare(b.name) : b.cents - a.cents));
}
`;

const budgetsModule = source`
/** Monthly limits by category, in a JSON file: { "food": "300.00" }. */
import { writeFile } from "node:fs/promises";
import { formatAmount, parseAmount, sumAmounts } from "./money.js";
import { Problem } from "./problem.js";
import { readText } from "./text-file.js";

/** A Map from category to cents. */
export async function readBudgets(file) {
  const text = (await readText(file)) || "{}";
  try {
    return new Map(Object.entries(JSON.parse(text)).map(([category, amount]) => [category, parseAmount(String(amount))]));
  } catch (error) {
    throw new Problem("the budgets are damaged: " + error.message);
  }
}

export async function setBudget(file, category, cents) {
  const budgets = (await readBudgets(file)).set(category, cents);
  const amounts = [...budgets].map(([name, limit]) => [name, formatAmount(limit)]);
  await writeFile(file, JSON.stringify(Object.fromEntries(amounts), null, 2) + "\n");
}

/** What is left of each limit after the entries of one month. */
export const budgetRows = (budgets, entries) =>
  [...budgets].map(([category, limit]) => {
    const spent = sumAmounts(entries.filter((entry) => entry.category === category).map((entry) => entry.cents));
    return { category, limit, spent, left: limit - spent };
  });
`;

const sumsTest = source`
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
`;

export const sums: Part = {
  title: "Add up, and compare with budgets",
  text: "Write the sums by category and by month with shares and bars, and the budgets: monthly limits in a JSON file, and what is left of each. Test both.",
  requirements: ["R4", "R5"],
  firstDraft: {
    text: "Write the sums by category and by month, with shares and bars. Test them.",
    requirements: ["R4"],
  },
  beats: [
    { say: "How do dates and missing files look from outside?", calls: [read("src/dates.js", "src/text-file.js")] },
    {
      say: "Sums with shares and bars, and budgets beside them.",
      calls: [
        write({ "src/sums.js": sumsModule, "src/budgets.js": budgetsModule, "test/sums.test.js": sumsTest }),
        checks(),
      ],
    },
    {
      say: "Sums and budgets stand.",
      calls: [
        complete(
          'src/sums.js: totals(entries, "category" | "month") gives {name, cents, share, bar}. src/budgets.js: readBudgets(file) gives a Map, setBudget(file, category, cents), budgetRows(budgets, entries of a month) gives {category, limit, spent, left}.',
          "All parts are there: the command only has to parse arguments, call them and print tables.",
        ),
      ],
    },
  ],
};
