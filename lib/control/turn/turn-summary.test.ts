import { describe, expect, it } from "vitest";
import { noteText, type ToolAnswer, type ToolNote } from "../../core/turn/tool-note.ts";
import type { EffectsBody } from "../../core/turn/turn.ts";
import { summarizeTurn } from "./turn-summary.ts";

const anAnswer = (tool: string, facts: ToolNote, ok = true): ToolAnswer => ({
  ...{ callId: "c", tool, ok, text: "", note: noteText(facts), facts, about: { kind: "other" } },
});

const effects = (over: Partial<EffectsBody>): EffectsBody => ({
  ...{ inputs: { elision: { views: 0, contents: 0 }, left: "", maxOutputTokens: 1 } },
  ...{ results: [], correction: "", verdicts: [] },
  ...over,
});

describe("what the history keeps of a turn", () => {
  it("says in a line what its calls did", () => {
    const answers = [
      anAnswer("write_files", { subject: "2\nfiles", files: 2, finding: "syntax ok" }),
      anAnswer("edit_file", { subject: "a · b.js", files: 1 }),
      anAnswer("run_checks", { finding: "syntax ok · 3 passed" }),
    ];
    expect(summarizeTurn(effects({}), answers)).toEqual({ did: "write_files 2 files; edit_file a · b.js; run_checks" });
    expect(summarizeTurn(effects({}), [])).toEqual({});
  });

  it("says why the instruction was not accepted, and which locked tests are to change", () => {
    const refused = anAnswer("complete_instruction", { refusal: "syntax and tests" }, false);
    const amendments = ["old", "new"].map((reason) => ({ path: "test/a.test.js", reason }));
    expect(summarizeTurn(effects({ amendments }), [refused])).toMatchObject({
      refused: "syntax and tests",
      amended: ["test/a.test.js"],
    });
    expect(
      summarizeTurn(effects({}), [refused, anAnswer("complete_instruction", { finding: "accepted" })]).refused,
    ).toBeUndefined();
  });
});
