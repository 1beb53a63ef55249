import { describe, expect, it } from "vitest";
import { replyTo } from "./ask-in-terminal.ts";

describe("what is typed", () => {
  it.each([
    ["2", { choices: ["Red", "Green"] }, { choice: 2 }],
    [" Green ", { choices: ["Red", "Green"] }, { text: "Green" }],
    ["2", { choices: ["1", "2"] }, { text: "2" }],
    ["2", {}, { text: "2" }],
  ])("as %j to %j means %j", (typed, asking, reply) => {
    expect(replyTo(typed, asking)).toEqual(reply);
  });
});
