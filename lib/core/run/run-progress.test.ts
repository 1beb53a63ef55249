import { expect, it } from "vitest";
import type { Event, EventBody } from "./event.ts";
import { applyEvent, emptyProgress } from "./run-progress.ts";

const BEGAN = Date.parse("2026-11-21T10:00:00.000Z");

const started: EventBody = {
  type: "instruction_started",
  ...{ instruction: 1, title: "One", attempt: 1, resumedAtTurn: 0 },
};

function progressAfter(...events: [seconds: number, body: EventBody][]) {
  const progress = emptyProgress();
  events.forEach(([seconds, body], index) => {
    const at = new Date(BEGAN + seconds * 1_000).toISOString();
    applyEvent(progress, { ...body, seq: index + 1, at } as Event);
  });
  return progress;
}

it("counts no time for which a run lay stopped, and whose end was noticed later", () => {
  const { instructions } = progressAfter(
    [0, started],
    [10, { type: "notice", text: "the last news before the process died" }],
    [600, { type: "ended", status: "partial", reason: "interrupted", detail: "" }],
    [610, { type: "resumed", epoch: 2 }],
    [611, started],
  );
  // It began 10 seconds before the stop.
  expect(instructions[0]?.startedAt).toBe(BEGAN + 600_000);
});

it("shows a call that is made again in its row, while planning as the headline, until an answer comes", () => {
  const retry = (instruction: number): EventBody => ({
    type: "retry",
    ...{ instruction, turn: 1, why: "answered 500", tries: 2, milliseconds: 900 },
  });
  const planning = progressAfter([0, retry(0)]);
  expect(planning.headline).toMatchObject({ type: "retry", tries: 2 });
  const running = progressAfter([0, started], [1, retry(1)]);
  expect(running.instructions[0]?.activity).toEqual({ kind: "retrying", why: "answered 500", tries: 2 });
  expect(running.headline).toBeUndefined();
});
