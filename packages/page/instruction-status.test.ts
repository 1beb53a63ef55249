import { expect, it } from "vitest";
import type { InstructionState } from "../../lib/core/run/history.ts";
import { statusAt, type View } from "./instruction-status.ts";
import { clock } from "./words.ts";

const NOW = Date.parse("2026-01-01T12:00:00.000Z");
const labelOf = (state: InstructionState, run: Partial<View["run"]>, isLatest = true): string =>
  statusAt({ number: 3, state }, { run: { status: "running", pc: 3, ...run }, isLatest, now: NOW }).label;

it("is running only while the run is, and only at the latest turn", () => {
  expect([labelOf("started", {}), labelOf("pending", {}), labelOf("pending", { pc: 2 })]).toEqual([
    "running",
    "running",
    "pending",
  ]);
  expect([labelOf("started", {}, false), labelOf("pending", {}, false)]).toEqual(["started", "pending"]);
});

it("has stopped or waits when its run has", () => {
  for (const status of ["partial", "cancelled", "failed"] as const) {
    expect(labelOf("started", { status })).toBe("stopped here");
    expect(labelOf("pending", { status })).toBe("pending");
  }
  const waitUntil = "2026-01-01T12:01:30.000Z";
  expect(labelOf("started", { status: "waiting", waitUntil })).toBe(`waiting until ${clock(NOW + 90_000, NOW)}`);
  expect(labelOf("pending", { status: "waiting", waitUntil })).toBe(
    labelOf("started", { status: "waiting", waitUntil }),
  );
  expect(labelOf("pending", { status: "waiting" })).toBe("pending");
  expect(labelOf("started", { status: "waiting" })).toBe("waiting");
  expect(labelOf("started", { status: "waiting" }, false)).toBe("started");
});

it("is accepted, stuck or skipped at an earlier turn too", () => {
  expect((["accepted", "stuck", "skipped"] as const).map((state) => labelOf(state, {}, false))).toEqual([
    ...["accepted", "stuck", "skipped"],
  ]);
});
