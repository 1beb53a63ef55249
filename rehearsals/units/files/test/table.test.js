import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable } from "../src/table.js";

const eggs = makeTable("eggs", [
  { name: "egg", symbol: "e", factor: 1 },
  { name: "dozen", symbol: "dz", factor: 12 },
]);

test("units convert by name and by symbol", () => {
  assert.equal(eggs.convert(2, "dozen", "e"), 24);
  assert.equal(eggs.convert(6, "egg", "dz"), 0.5);
});

test("an unknown unit is named", () => {
  assert.throws(() => eggs.convert(1, "egg", "gross"), /eggs has no unit "gross"/);
});
