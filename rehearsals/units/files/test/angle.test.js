import assert from "node:assert/strict";
import { test } from "node:test";
import { angle } from "../src/angle.js";

test("1 turn is 400 gon", () => {
  const found = angle.convert(1, "turn", "gon");
  assert.ok(Math.abs(found - 400) < 1e-9, "found " + found);
});

test("angle has 9 units", () => assert.equal(angle.names.length, 9));
