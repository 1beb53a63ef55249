/** Rows as CSV (RFC 4180). A cell that a spreadsheet would take for a formula is told not to be one. Pure. */
import type { Row } from "./picture.ts";

export const csv = (rows: Row[]): string => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
