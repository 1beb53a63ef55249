/** How many lanes a program has where nothing was said, and what is said of them. */
import { describe, expect, it } from "vitest";
import { draftFromData } from "../../program/program-text.ts";
import { defaultLanes, laneNotes } from "./lane-options.ts";

const programOf = (instructions: unknown[]) => {
  const draft = draftFromData({ instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
};

const LIST = programOf(["One.", "Two."]);
const NEEDS = programOf([
  { id: "a", text: "A." },
  { text: "B.", needs: ["a"] },
]);
const BLOCKS = programOf([
  { text: "A.", needs: [] },
  { kind: "group", body: ["B."] },
]);

describe("lanes", () => {
  it("are four where the program says what its instructions need, if nothing else was asked for", () => {
    expect([undefined, LIST, NEEDS, BLOCKS].map(defaultLanes)).toEqual([undefined, undefined, 4, undefined]);
    expect(laneNotes(NEEDS, undefined)[0]).toContain("up to 4 are executed side by side");
    expect([laneNotes(NEEDS, 1), laneNotes(NEEDS, 2), laneNotes(LIST, undefined)]).toEqual([[], [], []]);
  });

  it("are one for a program with blocks, which is said where more were asked for", () => {
    expect(laneNotes(BLOCKS, 3)).toEqual([
      "The program has blocks, so it is executed in one lane; --parallel changes nothing.",
    ]);
    expect([laneNotes(BLOCKS, 1), laneNotes(BLOCKS, undefined)]).toEqual([[], []]);
  });
});
