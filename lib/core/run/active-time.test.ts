import { expect, it } from "vitest";
import { INVOCATION_MS } from "../limits.ts";
import { activeMsAt } from "./active-time.ts";

it("counts what passed since the last commit", () => {
  expect(activeMsAt({ activeMs: 500, markedAt: 1_000 }, 4_000)).toBe(3_500);
  expect(activeMsAt({ activeMs: 500 }, 4_000)).toBe(500);
});

it("counts no more than an invocation for a computer that slept, and nothing for a clock that was set back", () => {
  expect(activeMsAt({ activeMs: 500, markedAt: 0 }, 8 * 3_600_000)).toBe(500 + INVOCATION_MS);
  expect(activeMsAt({ activeMs: 500, markedAt: 4_000 }, 1_000)).toBe(500);
});
