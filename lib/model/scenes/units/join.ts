/** Part 3 of units: all tables behind one function and one command. */
import type { Part } from "../../scene.ts";
import { checks, command, complete, write } from "../calls.ts";
import { source } from "../source.ts";

const indexModule = (quantities: string[]): string =>
  [
    "/** All tables behind one function. */",
    ...quantities.map((quantity) => `import { ${quantity} } from "./${quantity}.js";`),
    "",
    `const tables = [${quantities.join(", ")}];`,
    "",
    "export function convert(value, from, to) {",
    "  const table = tables.find((each) => each.has(from) && each.has(to));",
    `  if (!table) throw new RangeError("no quantity has both " + from + " and " + to);`,
    "  return table.convert(value, from, to);",
    "}",
    "",
  ].join("\n");

const indexTest = source`
import assert from "node:assert/strict";
import { test } from "node:test";
import { convert } from "../src/index.js";

test("the quantity is found by its units", () => {
  assert.equal(convert(2, "km", "m"), 2000);
  assert.equal(convert(1, "GiB", "MiB"), 1024);
});

test("units of two quantities do not convert", () => {
  assert.throws(() => convert(1, "km", "kg"), /no quantity has both km and kg/);
});
`;

const bin = source`
#!/usr/bin/env node
import { convert } from "../src/index.js";

const [value, from, to] = process.argv.slice(2);
try {
  if (!to || Number.isNaN(Number(value))) throw new RangeError("usage: units 3 mile km");
  console.log(String(Number(convert(Number(value), from, to).toPrecision(12))));
} catch (error) {
  console.error("units: " + error.message);
  process.exitCode = 2;
}
`;

const readmeFile = source`
# units

Converts units of twelve quantities. Needs Node and nothing else.

    node bin/units.js 3 mile km
    node bin/units.js 100 "degree Celsius" F

This project was written by the rehearsal of L2MAC from a prepared script, not by a language model: it shows how
a run goes on in a context window that is much too small for it.
`;

export const join = (quantities: string[]): Part => ({
  title: "Join the tables in a command",
  text: "Write the function that finds the quantity by its units, its test, the command, and the README.",
  requirements: ["R2", "R3"],
  beats: [
    {
      say: "One function over all tables, and the command.",
      calls: [
        write({ "src/index.js": indexModule(quantities), "test/index.test.js": indexTest, "bin/units.js": bin }),
        checks(),
      ],
    },
    { say: "How many kilometres are three miles?", calls: [command("node", "bin/units.js", "3", "mile", "km")] },
    { say: "The README shows two examples.", calls: [write({ "README.md": readmeFile })] },
    { say: "The converter is complete.", calls: [complete("The command units, its README and all tests are there.")] },
  ],
});
