import { describe, expect, it } from "vitest";
import { exitCodeOf } from "./exit-codes.ts";
import type { RunReason, RunStatus } from "./run.ts";

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
