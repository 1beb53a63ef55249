import assert from "node:assert/strict";
import { test } from "node:test";
import { data } from "../src/data.js";

test("1 MiB is 1024 KiB", () => {
  const found = data.convert(1, "MiB", "KiB");
  assert.ok(Math.abs(found - 1024) < 1e-9, "found " + found);
});

test("data has 9 units", () => assert.equal(data.names.length, 9));
