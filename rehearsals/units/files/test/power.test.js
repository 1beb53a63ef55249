import assert from "node:assert/strict";
import { test } from "node:test";
import { power } from "../src/power.js";

test("2 kW is 2000 W", () => {
  const found = power.convert(2, "kW", "W");
  assert.ok(Math.abs(found - 2000) < 1e-9, "found " + found);
});

test("power has 9 units", () => assert.equal(power.names.length, 9));
