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
