import assert from "node:assert/strict";
import { test } from "node:test";
import { temperature } from "../src/temperature.js";

test("100 degree Celsius is 212 degree Fahrenheit", () => {
  const found = temperature.convert(100, "degree Celsius", "degree Fahrenheit");
  assert.ok(Math.abs(found - 212) < 1e-9, "found " + found);
});

test("temperature has 6 units", () => assert.equal(temperature.names.length, 6));
