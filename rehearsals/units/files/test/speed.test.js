import assert from "node:assert/strict";
import { test } from "node:test";
import { speed } from "../src/speed.js";

test("36 km/h is 10 m/s", () => {
  const found = speed.convert(36, "km/h", "m/s");
  assert.ok(Math.abs(found - 10) < 1e-9, "found " + found);
});

test("speed has 9 units", () => assert.equal(speed.names.length, 9));
