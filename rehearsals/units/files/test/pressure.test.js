import assert from "node:assert/strict";
import { test } from "node:test";
import { pressure } from "../src/pressure.js";

test("1 atm is 760 Torr", () => {
  const found = pressure.convert(1, "atm", "Torr");
  assert.ok(Math.abs(found - 760) < 1e-9, "found " + found);
});

test("pressure has 9 units", () => assert.equal(pressure.names.length, 9));
