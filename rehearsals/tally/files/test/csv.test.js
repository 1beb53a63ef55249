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
