import { expect, it } from "vitest";
import { pollSeconds } from "./watch-interval.ts";

const HOUR_MS = 3_600_000;
const after = (quietSeconds: number) =>
  pollSeconds({ now: HOUR_MS, createdAt: 0, updatedAt: HOUR_MS - quietSeconds * 1_000 });

it("asks every second at the start, then sooner where something has just happened, and never less than four times a minute", () => {
  expect(pollSeconds({ now: 29_000, createdAt: 0, updatedAt: 0 })).toBe(1);
  expect([0, 5, 8, 15, 30, 600, 80_000].map(after)).toEqual([3, 3, 4, 8, 15, 15, 15]);
});

it("asks no faster where the clock of the writer is ahead", () => {
  expect(after(-60)).toBe(3);
});
