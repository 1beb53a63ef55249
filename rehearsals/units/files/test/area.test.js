import assert from "node:assert/strict";
import { test } from "node:test";
import { area } from "../src/area.js";

test("1 square mile is 640 acre", () => {
  const found = area.convert(1, "square mile", "acre");
  assert.ok(Math.abs(found - 640) < 1e-9, "found " + found);
});

test("area has 9 units", () => assert.equal(area.names.length, 9));
