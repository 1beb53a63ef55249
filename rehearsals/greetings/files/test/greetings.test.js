import assert from "node:assert/strict";
import test from "node:test";
import { greeting } from "../src/greetings.js";
import { languages } from "../src/languages.js";

test("every language of the list greets by name", async () => {
  for (const language of languages) assert.match(await greeting("Ada", language), /Ada/);
});

test("an unknown language is refused with those that there are", async () => {
  await assert.rejects(greeting("Ada", "latin"), /There is no "latin"\. There are german, french, italian\./);
});
