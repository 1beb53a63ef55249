import assert from "node:assert/strict";
import { test } from "node:test";
import { mass } from "../src/mass.js";

test("1 stone is 14 lb", () => {
  const found = mass.convert(1, "stone", "lb");
  assert.ok(Math.abs(found - 14) < 1e-9, "found " + found);
});

test("mass has 9 units", () => assert.equal(mass.names.length, 9));
