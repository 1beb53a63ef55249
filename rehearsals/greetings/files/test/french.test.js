import assert from "node:assert/strict";
import test from "node:test";
import { greet } from "../src/french.js";

test("greets by name in French", () => {
  assert.equal(greet("Ada"), "Bonjour, Ada!");
});
