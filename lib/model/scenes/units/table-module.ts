/** The two files of one table of units: its module and its test. */

type Unit = [name: string, symbol: string, factor: string, remark: string, offset?: string];

export interface UnitTable {
  quantity: string;
  /** The first is the base. */
  units: Unit[];
  /** Value, from, to, and what it makes. */
  example: [value: string, from: string, to: string, makes: string];
}

export const modulePath = (table: UnitTable): string => `src/${table.quantity}.js`;
export const testPath = (table: UnitTable): string => `test/${table.quantity}.test.js`;

export function tableModule({ quantity, units }: UnitTable): string {
  const base = units[0]?.[0] ?? "";
  return [
    "/**",
    ` * Units of ${quantity}. The base is the ${base}.`,
    ` * A factor says how many of the base one of the unit makes.`,
    " */",
    `import { makeTable } from "./table.js";`,
    "",
    `export const ${quantity} = makeTable("${quantity}", [`,
    ...units.flatMap(unitLines),
    "]);",
    "",
  ].join("\n");
}

function unitLines([name, symbol, factor, remark, offset]: Unit): string[] {
  const shift = offset === undefined ? "" : `, offset: ${offset}`;
  return [`  // ${remark}`, `  { name: "${name}", symbol: "${symbol}", factor: ${factor}${shift} },`];
}

export function tableTest({ quantity, units, example: [value, from, to, makes] }: UnitTable): string {
  return [
    `import assert from "node:assert/strict";`,
    `import { test } from "node:test";`,
    `import { ${quantity} } from "../src/${quantity}.js";`,
    "",
    `test("${value} ${from} is ${makes} ${to}", () => {`,
    `  const found = ${quantity}.convert(${value}, "${from}", "${to}");`,
    `  assert.ok(Math.abs(found - ${makes}) < 1e-9, "found " + found);`,
    "});",
    "",
    `test("${quantity} has ${units.length} units", () => assert.equal(${quantity}.names.length, ${units.length}));`,
    "",
  ].join("\n");
}
