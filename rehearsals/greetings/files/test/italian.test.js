import assert from "node:assert/strict";
import test from "node:test";
import { greet } from "../src/italian.js";

test("greets by name in Italian", () => {
  assert.equal(greet("Ada"), "Buongiorno, Ada!");
});
