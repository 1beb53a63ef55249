import { describe, expect, it } from "vitest";
import { advance } from "../program/advance.ts";
import { atMostTokens, calibrated, likelyTokens } from "../turn/estimate.ts";
import { listingOf } from "../turn/listing.ts";
import { progressNote } from "../turn/note.ts";
import type { ToolResult } from "../turn/turn.ts";
import { notRun, type Verdict } from "../verdict/verdict.ts";
import { skippedDeliveryCheck } from "./delivery-check.ts";
import { exitCodeOf } from "./exit-codes.ts";
import type { RunReason, RunStatus } from "./run.ts";
import { isUlid, ulid } from "./ulid.ts";

describe("what is next for a run", () => {
  const run = { status: "running" as RunStatus, instructions: 3, pc: 1, packed: 0 };
  it("plans before it has a program, executes while the counter is in it, delivers after it", () => {
    expect(advance({ ...run, instructions: 0, pc: 0, packed: -1 })).toBe("plan");
    expect(advance(run)).toBe("execute");
    expect(advance({ ...run, pc: 4, packed: 3 })).toBe("smoke");
    expect(advance({ ...run, pc: 4, packed: 3, smoke: skippedDeliveryCheck("turned_off") })).toBe("deliver");
  });
  it("packs an accepted instruction before anything else may change the tree", () => {
    expect(advance({ ...run, pc: 2, packed: 0 })).toBe("pack");
    expect(advance({ ...run, pc: 4, packed: 2 })).toBe("pack");
  });
  it("skips before it executes, and packs before it skips", () => {
    expect(advance({ ...run, pc: 2, packed: 1, skipping: true })).toBe("skip");
    expect(advance({ ...run, pc: 2, packed: 0, skipping: true })).toBe("pack");
    expect(advance({ ...run, pc: 2, packed: 1, skipping: true, status: "waiting" })).toBe("stop");
  });
  it.each(["waiting", "completed", "partial", "failed", "cancelled"] as const)(
    "stops where the run is %s",
    (status) => {
      expect(advance({ ...run, status })).toBe("stop");
    },
  );
});

describe("exit codes", () => {
  it.each([
    ["completed", undefined, 0],
    ["completed", "unchecked", 1],
    ["cancelled", "cancelled", 1],
    ["failed", "credentials", 3],
    ["failed", "provider", 4],
    ["partial", "trapped", 5],
    ["failed", "internal", 6],
    ["partial", "usd", 7],
    ["partial", "tokens", 7],
    ["partial", "turns", 7],
    ["partial", "minutes", 8],
    ["waiting", "interrupted", 130],
  ] satisfies [RunStatus, RunReason | undefined, number][])("%s because of %s is %i", (status, reason, code) => {
    expect(exitCodeOf({ status, reason })).toBe(code);
  });
});

describe("estimates", () => {
  it("are careful before the first answer and follow the provider's counts after it", () => {
    expect(atMostTokens(3_000, { tokensPerByte: 0 })).toBeGreaterThan(likelyTokens(3_000, { tokensPerByte: 0 }));
    const tokensPerByte = calibrated({ tokensPerByte: 0 }, 4_000, 1_000);
    expect(likelyTokens(8_000, { tokensPerByte })).toBe(2_000);
  });
  it("rise at once and fall slowly", () => {
    expect(calibrated({ tokensPerByte: 0.25 }, 1_000, 500)).toBe(0.5);
    expect(calibrated({ tokensPerByte: 0.5 }, 1_000, 250)).toBeCloseTo(0.475);
  });
});

describe("the listing of files", () => {
  const entry = (index: number, path = `src/f${index}.ts`) => ({
    path,
    sha256: "",
    bytes: 10,
    lines: 2,
    instruction: index,
    turn: 1,
  });
  it("shows the recent ones first and folders with counts for the rest, within its share of the window", () => {
    const listing = listingOf(
      Array.from({ length: 3_000 }, (_, index) => entry(index)),
      8_192,
    );
    expect(listing.startsWith("src/f2999.ts")).toBe(true);
    expect(listing).toMatch(/src\/: \d+ more files/);
    expect(likelyTokens(listing.length, { tokensPerByte: 0 })).toBeLessThanOrEqual(1_024);
  });
  it("is empty for an empty tree and complete for a small one", () => {
    expect(listingOf([], 8_192)).toBe("");
    expect(listingOf([entry(1, "a.txt")], 8_192)).toBe("a.txt (2 lines, 10 bytes)");
  });
});

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

describe("run ids", () => {
  it("are ULIDs that sort by time", () => {
    const earlier = ulid(1_700_000_000_000, Math.random);
    expect(isUlid(earlier)).toBe(true);
    expect(earlier < ulid(1_700_000_000_001, () => 0)).toBe(true);
  });
});
