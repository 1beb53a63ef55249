import assert from "node:assert/strict";
import test from "node:test";
import { languages } from "../src/languages.js";

test("the list names each language once", () => {
  assert.ok(languages.length > 0);
  assert.equal(new Set(languages).size, languages.length);
});
