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
