/** Part 2 of tally: CSV. Its first writing lacks a bracket; the finding in the answer shows it. */
import type { Part } from "../../scene.ts";
import { syntaxErrorIn } from "../../scene-findings.ts";
import { checks, complete, flawed, write } from "../calls.ts";
import { source } from "../source.ts";

const csvModule = source`
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
`;

const csvTest = source`
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCsv, parseCsv } from "../src/csv.js";

const fieldsOf = (text) => parseCsv(text).map((row) => row.fields);

test("commas part fields and line ends part rows, also those of Windows", () => {
  assert.deepEqual(fieldsOf("a,b\r\nc,\n"), [
    ["a", "b"],
    ["c", ""],
  ]);
});

test("a quoted field may hold commas, line breaks and doubled quotes", () => {
  assert.deepEqual(fieldsOf('"a,b","say ""hi""","two\nlines"\n'), [["a,b", 'say "hi"', "two\nlines"]]);
});

test("a row knows the line on which it begins", () => {
  assert.deepEqual(
    parseCsv('"two\nlines",x\n\ny,z').map((row) => row.line),
    [1, 4],
  );
});

test("a quote that stays open is named by its line", () => {
  assert.throws(() => parseCsv('a,b\n"c,d\n'), { message: /^line 2: / });
});

test("what is written is read back as it was", () => {
  const rows = [
    ["plain", "with,comma"],
    ['with "quotes"', "with\nbreak"],
  ];
  assert.deepEqual(fieldsOf(formatCsv(rows)), rows);
});
`;

const slip = flawed("src/csv.js", csvModule, {
  right: `else if (text[at + 1] === '"') {`,
  wrong: `else if (text[at + 1] === '"' {`,
});

export const csv: Part = {
  title: "Read and write CSV",
  text: "Write the module that parses CSV text into rows, each with the number of its line, and formats rows as CSV. Quoted fields may hold commas, doubled quotes and line breaks. Test both directions, and an open quote.",
  requirements: ["R1"],
  repairs: [
    {
      say: "A bracket is missing in the condition that looks for a doubled quote: I close it.",
      sees: syntaxErrorIn("src/csv.js"),
      ...slip.mend,
    },
  ],
  beats: [
    {
      say: "A small state machine reads CSV: inside quotes, or outside of them.",
      calls: [write({ "src/csv.js": slip.content, "test/csv.test.js": csvTest })],
    },
    { say: "Now all checks, those of the amounts too.", calls: [checks()] },
    {
      say: "CSV is read and written.",
      calls: [
        complete(
          "src/csv.js: parseCsv(text) gives rows {line, fields} and throws a Problem that names the line of an open quote; formatCsv(rows of fields) quotes what needs it.",
          "The ledger can rest on parseCsv and formatCsv; each row's line is there for its messages.",
        ),
      ],
    },
  ],
};
