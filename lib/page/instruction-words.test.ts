import { expect, it } from "vitest";
import { type Looking, standingAt } from "./instruction-words.ts";
import type { InstructionState } from "./timeline.ts";
import { clock } from "./words.ts";

const NOW = Date.parse("2026-01-01T12:00:00.000Z");
const says = (state: InstructionState, run: Partial<Looking["run"]>, isLatest = true): string =>
  standingAt({ number: 3, state }, { run: { status: "running", pc: 3, ...run }, isLatest, now: NOW }).says;

it("runs only where the run computes it now, and the latest turn is looked at", () => {
  expect([says("begun", {}), says("to come", {}), says("to come", { pc: 2 })]).toEqual([
    "running",
    "running",
    "to come",
  ]);
  expect([says("begun", {}, false), says("to come", {}, false)]).toEqual(["begun", "to come"]);
});

it("stopped, or waits, where its run does", () => {
  for (const status of ["partial", "cancelled", "failed"] as const) {
    expect(says("begun", { status })).toBe("stopped here");
    expect(says("to come", { status })).toBe("to come");
  }
  const waitUntil = "2026-01-01T12:01:30.000Z";
  expect(says("begun", { status: "waiting", waitUntil })).toBe(`waiting until ${clock(NOW + 90_000, NOW)}`);
  expect(says("to come", { status: "waiting", waitUntil })).toBe(says("begun", { status: "waiting", waitUntil }));
  expect(says("to come", { status: "waiting" })).toBe("to come");
  expect(says("begun", { status: "waiting" })).toBe("waiting");
  expect(says("begun", { status: "waiting" }, false)).toBe("begun");
});

it("is accepted, stuck or skipped where it was so at the place that is looked at", () => {
  expect((["done", "stuck", "skipped"] as const).map((state) => says(state, {}, false))).toEqual([
    ...["accepted", "stuck", "skipped"],
  ]);
});
