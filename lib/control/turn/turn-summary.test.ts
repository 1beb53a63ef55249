import { describe, expect, it } from "vitest";
import type { EffectsBody, ToolResult } from "../../core/turn/turn.ts";
import { summarizeTurn } from "./turn-summary.ts";

const aResult = (tool: string, over: Partial<ToolResult> = {}): ToolResult => ({
  ...{ callId: "c", tool, ok: true, text: "", note: "", about: { kind: "other" } },
  ...over,
});

const effects = (over: Partial<EffectsBody>): EffectsBody => ({
  ...{ inputs: { elision: { views: 0, contents: 0 }, left: "", maxOutputTokens: 1 } },
  ...{ results: [], correction: "", verdicts: [] },
  ...over,
});

describe("what the history keeps of a turn", () => {
  it("says in a line what its calls did", () => {
    const results = [
      aResult("write_files", { note: "2\nfiles · syntax ok" }),
      aResult("run_checks", { note: "syntax ok · 3 passed" }),
    ];
    expect(summarizeTurn(effects({ results }))).toEqual({ did: "write_files 2 files; run_checks" });
    expect(summarizeTurn(effects({}))).toEqual({});
  });

  it("says why the instruction was not accepted, and which locked tests are to change", () => {
    const refused = aResult("complete_instruction", { ok: false, note: "not accepted: syntax and tests" });
    const amendments = ["old", "new"].map((reason) => ({ path: "test/a.test.js", reason }));
    expect(summarizeTurn(effects({ results: [refused], amendments }))).toMatchObject({
      refused: "syntax and tests",
      amended: ["test/a.test.js"],
    });
    expect(summarizeTurn(effects({ results: [refused, aResult("complete_instruction")] })).refused).toBeUndefined();
  });
});
