/** Part 1 of units: the manifest, and what makes a table of units convert. */
import type { Part } from "../../scene.ts";
import { complete, write } from "../calls.ts";
import { source } from "../source.ts";

const manifest = source`
{
  "name": "units",
  "version": "1.0.0",
  "type": "module",
  "bin": { "units": "bin/units.js" },
  "scripts": { "test": "node --test" },
  "license": "MIT"
}
`;

const table = source`
/** Makes a table of units convert. Units are found by name or symbol. */
export function makeTable(quantity, units) {
  const known = new Map(units.flatMap((unit) => [[unit.name, unit], [unit.symbol, unit]]));
  const find = (spelling) => {
    if (!known.has(spelling)) throw new RangeError(quantity + ' has no unit "' + spelling + '"');
    return known.get(spelling);
  };
  return {
    quantity,
    names: units.map((unit) => unit.name),
    has: (spelling) => known.has(spelling),
    convert(value, from, to) {
      const [a, b] = [find(from), find(to)];
      return (value * a.factor + (a.offset ?? 0) - (b.offset ?? 0)) / b.factor;
    },
  };
}
`;

const tableTest = source`
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable } from "../src/table.js";

const eggs = makeTable("eggs", [
  { name: "egg", symbol: "e", factor: 1 },
  { name: "dozen", symbol: "dz", factor: 12 },
]);

test("units convert by name and by symbol", () => {
  assert.equal(eggs.convert(2, "dozen", "e"), 24);
  assert.equal(eggs.convert(6, "egg", "dz"), 0.5);
});

test("an unknown unit is named", () => {
  assert.throws(() => eggs.convert(1, "egg", "gross"), /eggs has no unit "gross"/);
});
`;

export const ground: Part = {
  title: "Lay the ground for tables of units",
  text: "Write the manifest and the function that makes a table of units convert, with its test.",
  requirements: ["R2"],
  beats: [
    {
      say: "The manifest and the table function.",
      calls: [write({ "package.json": manifest, "src/table.js": table, "test/table.test.js": tableTest })],
    },
    {
      say: "Tables can be written now.",
      calls: [
        complete("src/table.js: makeTable(quantity, [{name, symbol, factor, offset?}]) has convert, has, names."),
      ],
    },
  ],
};
