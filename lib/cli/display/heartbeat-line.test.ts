import { describe, expect, it } from "vitest";
import { emptyProgress, type InstructionProgress, type RunProgress } from "../../core/run/run-progress.ts";
import { heartbeatLine } from "./heartbeat-line.ts";

const line = (view: Partial<RunProgress>): string =>
  heartbeatLine({ ...emptyProgress(), ...view }, { now: 95_000, newsAt: 30_000 });
const running: InstructionProgress = {
  ...{ number: 3, title: "Part", turns: 1, written: 0, read: 0, newTests: 0, microUsd: 0 },
  ...{ repaired: 0, refused: 0, isFailing: false, milliseconds: 0 },
  state: "started",
};

describe("the line of a run without news", () => {
  it.each<[Partial<RunProgress>, string]>([
    [{ phase: "planning" }, "planning: waiting for the model"],
    [
      { phase: "planning", underway: { instruction: 0, characters: 2_100 } as never },
      "the model writes, 2.1k characters",
    ],
    [
      { total: 7, instructions: [{ ...running, activity: { kind: "asking_model" } }] },
      "instruction 3/7: waiting for the",
    ],
    [
      { total: 7, instructions: [{ ...running, activity: { kind: "turn", tools: [], outcome: "tools" } }] },
      "waiting for checks, or for the model's next answer",
    ],
    [{ waiting: { why: "429.", until: 155_000 } }, "waiting, next try in 1m00: 429."],
  ])("of %o says what it waits for", (view, says) => {
    expect(line(view)).toContain(says);
    expect(line(view)).toMatch(/^ {2}… .* · no news for 1m05$/);
  });
});
