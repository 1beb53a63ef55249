import { describe, expect, it } from "vitest";
import { nearestWord } from "./nearest-word.ts";

const names = ["run", "plan", "list", "status", "watch", "log", "cancel", "resume", "replay", "doctor"];

describe("the nearest known word", () => {
  it.each([
    ["lits", "list"],
    ["stauts", "status"],
    ["cancle", "cancel"],
    ["resum", "resume"],
    ["doc", "doctor"],
    ["LOG", "log"],
  ])("of %s is %s", (word, meant) => {
    expect(nearestWord(word, names)).toBe(meant);
  });

  it.each(["deploy", "banana", "x"])("of %s is none", (word) => {
    expect(nearestWord(word, names)).toBeUndefined();
  });
});
