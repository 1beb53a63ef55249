import { expect, it } from "vitest";
import { gradeWords } from "./evidence.ts";

it("says beside a grade what it means", () => {
  expect(gradeWords({ grade: 2 })).toBe("proven (E2: failed by its own assertion on stubs)");
  expect(gradeWords({ grade: 1, noStubs: "Rust" })).toBe("proven (E1: failed before the work, no stubs of Rust)");
  expect(gradeWords({ grade: 1 })).toMatch(/^noted, no proof \(E1: failed before the work, not by its own assertion/);
});
