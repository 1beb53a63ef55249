import assert from "node:assert/strict";
import { test } from "node:test";
import { length } from "../src/length.js";

test("1 mile is 1.609344 km", () => {
  const found = length.convert(1, "mile", "km");
  assert.ok(Math.abs(found - 1.609344) < 1e-9, "found " + found);
});

test("length has 9 units", () => assert.equal(length.names.length, 9));
