import { describe, expect, it } from "vitest";
import { notRun, type Verdict } from "../verdict/verdict.ts";
import { progressNote } from "./note.ts";
import type { ToolResult } from "./turn.ts";

describe("the progress note", () => {
  const none = notRun("not_asked");
  const broken: Verdict = {
    ...none,
    syntax: { status: "failed", errors: [{ path: "b.js", line: 3, message: "broken" }] },
  };
  const repaired: Verdict = { ...none, syntax: { status: "passed", errors: [] } };
  const failing: Verdict = {
    ...none,
    tests: { ...none.tests, status: "failed", failed: 1, cases: [{ name: "adds up", status: "failed", message: "3" }] },
  };
  const result = (over: Partial<ToolResult>): ToolResult => ({
    callId: "c",
    tool: "write_files",
    ok: true,
    text: "",
    note: "",
    about: { kind: "other" },
    ...over,
  });
  it("says what is done, which errors are open and what to look at", () => {
    const results = [
      result({ about: { kind: "write", paths: ["a.js", "b.js"] } }),
      result({ tool: "delete_files", about: { kind: "write", paths: ["a.js"] } }),
      result({ tool: "read_files", about: { kind: "view", paths: ["c.js"] } }),
    ];
    const note = progressNote([{ turn: 1, results, correction: "" }], { why: "why", verdicts: [broken] });
    expect(note).toContain("wrote b.js");
    expect(note).toContain("deleted a.js");
    expect(note).toContain("b.js:3");
    expect(note).toContain("c.js");
  });
  it("calls the old names of moved files deleted", () => {
    const moved = result({
      tool: "move_files",
      about: { kind: "write", paths: ["old.js", "new.js"], gone: ["old.js"] },
    });
    const note = progressNote([{ turn: 1, results: [moved], correction: "" }], { why: "why", verdicts: [] });
    expect(note).toContain("- deleted old.js\n- wrote new.js");
  });
  it("names what was written by a call that could not write all of it", () => {
    const partly = result({ ok: false, about: { kind: "write", paths: ["a.js"] } });
    expect(progressNote([{ turn: 1, results: [partly], correction: "" }], { why: "why", verdicts: [] })).toContain(
      "wrote a.js",
    );
  });
  it("does not repeat an error that the latest verdict no longer has", () => {
    const note = progressNote([], { why: "why", verdicts: [broken, repaired] });
    expect(note).not.toContain("b.js");
    expect(progressNote([], { why: "why", verdicts: [failing, repaired] })).toContain("adds up");
  });
});
