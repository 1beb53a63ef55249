/** Rows as CSV (RFC 4180), with cells escaped that a spreadsheet would take for formulas. Pure. */
import { withoutForbidden } from "../../../lib/core/text/xml.ts";
import type { Row } from "./chart.ts";

export const csv = (rows: Row[]): string => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

/** Some spreadsheets take the wide forms of the signs for the signs. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const shown = withoutForbidden(value);
  const safe = FORMULA.test(shown) ? `'${shown}` : shown;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
