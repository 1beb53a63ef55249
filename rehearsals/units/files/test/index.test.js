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
