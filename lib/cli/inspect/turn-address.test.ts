import { describe, expect, it } from "vitest";
import { readMeant } from "./turn-address.ts";

describe("the turn that is meant", () => {
  it.each([
    ["4", { instruction: 4, turn: undefined }],
    ["0.1", { instruction: 0, turn: 1 }],
    ["4.2@3", { instruction: 4, turn: 2, lane: 3 }],
    // Lane 1 is the run itself.
    ["4.2@1", { instruction: 4, turn: 2 }],
  ])("is %s, of the latest run or of one that is named", (address, at) => {
    expect(readMeant([address])).toEqual({ run: undefined, at });
    expect(readMeant(["poem", address])).toEqual({ run: "poem", at });
  });

  it.each(["3@2", "1.1.1", "4.2@17"])("is none by %s, which says how a turn is written", (word) => {
    expect(readMeant([word])).toMatchObject({ run: word, unless: expect.stringContaining("A turn is 4.2, or 4.2@3") });
    expect(() => readMeant(["poem", word])).toThrow(`${word} names no turn. A turn is 4.2, or 4.2@3 of lane 3`);
  });

  it("is not looked for in the name of a run", () => {
    expect(readMeant(["poem"])).toEqual({ run: "poem", at: undefined });
  });
});
