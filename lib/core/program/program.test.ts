import { expect, it } from "vitest";
import { titleOf } from "./program.ts";

it.each([
  ["Build: a shop for second-hand books.", "Build: a shop for second-hand books"],
  ["Write the models: User, Post", "Write the models: User, Post"],
  ["A to-do list. With tests.", "A to-do list"],
  ["Read the file;\nthen count", "Read the file"],
  ["Requirements:\n- R1: it works", "Requirements"],
  ["x".repeat(90), `${"x".repeat(79)}…`],
])("a text that begins %j is called %s", (text, title) => expect(titleOf(text)).toBe(title));
