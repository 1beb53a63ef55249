/** Part 1 of tally: the project's ground, and exact amounts. */
import type { Part } from "../../scene.ts";
import { checks, complete, list, write } from "../calls.ts";
import { source } from "../source.ts";

const manifest = source`
{
  "name": "tally",
  "version": "1.0.0",
  "description": "Keeps what you spend in a CSV file and adds it up.",
  "type": "module",
  "bin": { "tally": "bin/tally.js" },
  "scripts": { "test": "node --test" },
  "engines": { "node": ">=20" },
  "license": "MIT"
}
`;

const decisions = source`
# Decisions, kept until the program is done

- Amounts are whole cents everywhere; only parsing and formatting know of the decimal point.
- What the user can put right is a Problem with an exit code; everything else is a defect and may crash.
- Modules that touch the disk take the file's path; nothing looks up folders or the date by itself.
`;

const problemModule = source`
/** What the user can put right: shown as one line, with the exit code that the command ends with. */
export class Problem extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command was typed wrong. */
export const usage = (message) => new Problem(message, 2);
`;

const moneyModule = source`
/** Amounts of money as whole cents, so that sums stay exact. */
import { usage } from "./problem.js";

/** "12", "12.5", "12,50" and "-3.20" are amounts; anything else is refused. */
export function parseAmount(text) {
  const match = /^([+-]?)(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!match) throw usage('"' + text + '" is not an amount; write it like 12.50');
  const [, sign, whole, fraction = ""] = match;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return sign === "-" ? -cents : cents;
}

export function formatAmount(cents) {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return (cents < 0 ? "-" : "") + digits.slice(0, -2) + "." + digits.slice(-2);
}

export const sumAmounts = (amounts) => amounts.reduce((sum, cents) => sum + cents, 0);
`;

const moneyTest = source`
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAmount, parseAmount, sumAmounts } from "../src/money.js";

test("an amount is read with a point, with a comma, or whole", () => {
  assert.equal(parseAmount("12.50"), 1250);
  assert.equal(parseAmount("12,5"), 1250);
  assert.equal(parseAmount(" 12 "), 1200);
  assert.equal(parseAmount("-0.05"), -5);
});

test("what is not an amount is refused, and the refusal names it", () => {
  for (const text of ["", "ten", "1.234", "1e3", "1 000"]) {
    assert.throws(() => parseAmount(text), { exitCode: 2, message: /is not an amount/ });
  }
});

test("an amount is written with two digits after the point", () => {
  assert.equal(formatAmount(5), "0.05");
  assert.equal(formatAmount(-5), "-0.05");
  assert.equal(formatAmount(123456), "1234.56");
});

test("ten times ten cents are exactly one", () => {
  assert.equal(sumAmounts(Array(10).fill(parseAmount("0.10"))), parseAmount("1"));
});
`;

export const money: Part = {
  title: "Lay out the project and handle amounts exactly",
  text: "Create the package manifest (ECMAScript modules, no dependencies, `node --test`) and a short note of decisions. Write the module for amounts: whole cents inside, a point or a comma outside. Test it.",
  requirements: ["R2", "R7"],
  beats: [
    { say: "I look whether there is anything to build on.", calls: [list()] },
    {
      say: "First the manifest and the decisions that all modules share.",
      calls: [write({ "package.json": manifest, "notes/decisions.md": decisions })],
    },
    {
      say: "Amounts become whole cents, so that no sum is ever off by a fraction; and the checks in the same turn.",
      calls: [
        write({ "src/problem.js": problemModule, "src/money.js": moneyModule, "test/money.test.js": moneyTest }),
        checks(),
      ],
    },
    {
      say: "Amounts are done.",
      calls: [
        complete(
          "src/money.js parses and formats amounts as whole cents (parseAmount, formatAmount, sumAmounts). src/problem.js has Problem(message, exitCode) and usage(message) for what the user can put right. notes/decisions.md holds the decisions.",
          "CSV next: report damaged input as a Problem that names the line.",
        ),
      ],
    },
  ],
};
