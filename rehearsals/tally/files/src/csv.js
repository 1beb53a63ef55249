/** Comma-separated values as spreadsheets write them: quotes around what needs them, doubled quotes inside. */
import { Problem } from "./problem.js";

/** Rows as { line, fields }, where line is the one on which the row begins. Empty lines are no rows. */
export function parseCsv(text) {
  const rows = [];
  let row = { line: 1, fields: [] };
  let field = "";
  let quoted = false;
  let line = 1;
  const endField = () => {
    row.fields.push(field);
    field = "";
  };
  const endRow = () => {
    endField();
    if (row.fields.length > 1 || row.fields[0] !== "") rows.push(row);
    row = { line, fields: [] };
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\n") line += 1;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ",") endField();
    else if (char === "\n") endRow();
    else if (char !== "\r") field += char;
  }
  if (quoted) throw new Problem("line " + row.line + ": a quote is opened and never closed");
  if (field !== "" || row.fields.length > 0) endRow();
  return rows;
}

export const formatCsv = (rows) => rows.map((fields) => fields.map(quoteIfNeeded).join(",") + "\n").join("");

const quoteIfNeeded = (field) => (/[",\r\n]/.test(field) ? '"' + field.replaceAll('"', '""') + '"' : field);
