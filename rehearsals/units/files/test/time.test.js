import assert from "node:assert/strict";
import { test } from "node:test";
import { time } from "../src/time.js";

test("1 fortnight is 336 hour", () => {
  const found = time.convert(1, "fortnight", "hour");
  assert.ok(Math.abs(found - 336) < 1e-9, "found " + found);
});

test("time has 9 units", () => assert.equal(time.names.length, 9));
