import { expect, it } from "vitest";
import { INVOCATION_MS } from "../limits.ts";
import { activeMsAt, instructionMsAt } from "./active-time.ts";

it("counts what passed since the last commit", () => {
  expect(activeMsAt({ activeMs: 500, markedAt: 1_000 }, 4_000)).toBe(3_500);
  expect(activeMsAt({ activeMs: 500 }, 4_000)).toBe(500);
});

it("counts no more than an invocation for a computer that slept, and nothing for a clock that was set back", () => {
  expect(activeMsAt({ activeMs: 500, markedAt: 0 }, 8 * 3_600_000)).toBe(500 + INVOCATION_MS);
  expect(activeMsAt({ activeMs: 500, markedAt: 4_000 }, 1_000)).toBe(500);
});

it("counts for an instruction what its run was computed since it began, and not the time for which it lay stopped", () => {
  const began = { startedAt: "2026-11-21T10:00:00.000Z", activeMsAtStart: 2_000 };
  const aDayLater = Date.parse("2026-11-22T10:00:00.000Z");
  expect(instructionMsAt(began, { activeMs: 5_000, markedAt: aDayLater }, aDayLater + 700)).toBe(3_700);
  expect(instructionMsAt({}, { activeMs: 5_000 }, aDayLater)).toBe(0);
});

it("counts what passed on the clock for an instruction that an earlier version began", () => {
  const began = { startedAt: "2026-11-21T10:00:00.000Z" };
  expect(instructionMsAt(began, { activeMs: 1 }, Date.parse("2026-11-21T10:00:04.000Z"))).toBe(4_000);
});
