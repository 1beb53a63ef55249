import assert from "node:assert/strict";
import { test } from "node:test";
import { energy } from "../src/energy.js";

test("1 kWh is 3.6 MJ", () => {
  const found = energy.convert(1, "kWh", "MJ");
  assert.ok(Math.abs(found - 3.6) < 1e-9, "found " + found);
});

test("energy has 9 units", () => assert.equal(energy.names.length, 9));
