/** How many lanes a program has where nothing was said, and what is said of them. */
import { describe, expect, it } from "vitest";
import type { Draft } from "../../program/program.ts";
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

const notesOn = (program: Draft | undefined, asked: number | undefined, isRehearsal = false) =>
  laneNotes({ program, asked, isRehearsal });

describe("lanes", () => {
  it("are four where the program says what its instructions need, if nothing else was asked for", () => {
    expect([undefined, LIST, NEEDS, BLOCKS].map(defaultLanes)).toEqual([undefined, undefined, 4, undefined]);
    expect(notesOn(NEEDS, undefined)[0]).toContain("up to 4 are executed side by side");
    expect([notesOn(NEEDS, 1), notesOn(NEEDS, 2), notesOn(LIST, undefined)]).toEqual([[], [], []]);
  });

  it("are one for a program with blocks, which is said where more were asked for", () => {
    expect(notesOn(BLOCKS, 3)).toEqual([
      "The program has blocks, so it is executed in one lane; --parallel changes nothing.",
    ]);
    expect([notesOn(BLOCKS, 1), notesOn(BLOCKS, undefined)]).toEqual([[], []]);
  });

  it("are one at a time where nothing is said of needs, which is said where more were asked for", () => {
    const why = "does not say what its instructions need, so they are executed one at a time";
    expect(notesOn(LIST, 3)).toEqual([`The program ${why}; --parallel changes nothing.`]);
    expect(notesOn(undefined, 3, true)).toEqual([`The rehearsal ${why}; --parallel changes nothing.`]);
    // A model can write a program with needs.
    expect([notesOn(undefined, 3), notesOn(undefined, 1, true), notesOn(NEEDS, 3, true)]).toEqual([[], [], []]);
  });
});
