import assert from "node:assert/strict";
import { test } from "node:test";
import { volume } from "../src/volume.js";

test("1 barrel of oil is 42 gal", () => {
  const found = volume.convert(1, "barrel of oil", "gal");
  assert.ok(Math.abs(found - 42) < 1e-9, "found " + found);
});

test("volume has 9 units", () => assert.equal(volume.names.length, 9));
