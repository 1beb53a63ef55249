import { describe, expect, it } from "vitest";
import { acceptDraft } from "./program-draft.ts";

const draft = (ids: string[], requirements: { id: string; text: string }[]) => ({
  instructions: [{ title: "All", text: "Build all of it.", requirements: ids }],
  requirements,
});
const listed = [
  { id: "R1", text: "shortens" },
  { id: "R2", text: "redirects" },
];

describe("the requirements of a program that the model wrote", () => {
  it("are those that the task lists, as they are there, and those that the model adds", () => {
    const added = [
      { id: "R1", text: "shortens in other words" },
      { id: "R10", text: "users register and sign in" },
    ];
    expect(acceptDraft(draft(["R1", "R2", "R10"], added), listed, undefined)).toEqual({
      draft: draft(["R1", "R2", "R10"], [...listed, { id: "R10", text: "users register and sign in" }]),
    });
  });

  it("are refused where an instruction names one that neither has", () => {
    expect(acceptDraft(draft(["R3"], []), listed, undefined)).toEqual({
      problem: "There is no requirement R3; there are R1, R2.",
    });
  });
});
