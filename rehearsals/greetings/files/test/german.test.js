import assert from "node:assert/strict";
import test from "node:test";
import { greet } from "../src/german.js";

test("greets by name in German", () => {
  assert.equal(greet("Ada"), "Guten Tag, Ada!");
});
