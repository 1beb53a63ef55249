/** Part 3 of tally: entries in a file. */
import type { Part } from "../../scene.ts";
import { complete, read, write } from "../calls.ts";
import { source } from "../source.ts";

const textFile = source`
/** Text files that need not be there yet. */
import { readFile } from "node:fs/promises";

/** The file's text; empty where there is no such file. */
export async function readText(file) {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
}
`;

const dates = source`
/** Dates and months as text, in the form in which they also sort. */

/** 2026-11-05, and a day that the calendar has. */
export function isDate(text) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(text + "T00:00:00Z");
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** 2026-11 */
export const isMonth = (text) => isDate(text + "-01");

export const monthOf = (date) => date.slice(0, 7);
`;

const ledgerModule = source`
/** The ledger: a CSV file with one entry a row, in the order in which they were added. */
import { appendFile } from "node:fs/promises";
import { formatCsv, parseCsv } from "./csv.js";
import { isDate } from "./dates.js";
import { formatAmount, parseAmount } from "./money.js";
import { Problem } from "./problem.js";
import { readText } from "./text-file.js";

const COLUMNS = ["date", "amount", "category", "note"];

/** Entries as { date, cents, category, note }. */
export async function readLedger(file) {
  const [header, ...rows] = parseCsv(await readText(file));
  if (!header) return [];
  if (header.fields.join() !== COLUMNS.join()) {
    throw new Problem("line 1: the columns should be " + COLUMNS.join(", "));
  }
  return rows.map(entryOf);
}

function entryOf({ line, fields }) {
  const [date, amount, category, note] = fields;
  if (fields.length !== COLUMNS.length) {
    throw new Problem("line " + line + ": " + fields.length + " fields instead of " + COLUMNS.length);
  }
  if (!isDate(date)) throw new Problem("line " + line + ': "' + date + '" is not a date');
  try {
    return { date, cents: parseAmount(amount), category, note };
  } catch (error) {
    throw new Problem("line " + line + ": " + error.message);
  }
}

/** A damaged ledger is refused before it grows. */
export async function addEntry(file, { date, cents, category, note }) {
  await readLedger(file);
  const text = await readText(file);
  const start = text === "" ? formatCsv([COLUMNS]) : text.endsWith("\n") ? "" : "\n";
  await appendFile(file, start + formatCsv([[date, formatAmount(cents), category, note]]));
}
`;

const ledgerTest = source`
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
`;

export const ledger: Part = {
  title: "Keep entries in a ledger file",
  text: "Write the ledger: add an entry to the CSV file, making it with its column names where it is missing, and read all entries back. A damaged line is reported by its number and nothing is added to a damaged file. Test with real files in a temporary folder.",
  requirements: ["R1", "R6"],
  beats: [
    {
      say: "I read the modules on which the ledger rests.",
      calls: [read("src/csv.js", "src/money.js", "notes/decisions.md")],
    },
    {
      say: "Dates and the reading of files are small modules of their own: the budgets will want them too.",
      calls: [write({ "src/text-file.js": textFile, "src/dates.js": dates })],
    },
    {
      say: "Now the ledger itself and its tests.",
      calls: [write({ "src/ledger.js": ledgerModule, "test/ledger.test.js": ledgerTest })],
    },
    {
      say: "The ledger keeps what it is given.",
      calls: [
        complete(
          "src/ledger.js: readLedger(file) gives entries {date, cents, category, note}; addEntry(file, entry) appends, and refuses a damaged file with a Problem that names the line. src/dates.js has isDate, isMonth, monthOf; src/text-file.js has readText(file), empty where there is none.",
          "Listing needs entries in order of date: the file has them in order of adding.",
        ),
      ],
    },
  ],
};
