import { expect, it } from "vitest";
import type { TurnRecord } from "../../lib/core/turn/turn.ts";
import { comparePoints } from "./compare-points.ts";

const turns = ["0.1", "1.1", "1.2", "2.1", "2.2", "3.1"].map((at) => {
  const [instruction, turn] = at.split(".").map(Number);
  return { instruction, turn } as TurnRecord;
});

const compared = (chosen: number, against: string): string =>
  comparePoints({ turns, chosen, against, last: turns[2] })
    .map(({ label }) => label)
    .join(" → ");

it("goes from the older to the newer, also if the older is selected", () => {
  expect(compared(2, "2")).toBe("instruction 1 → instruction 2");
  expect(compared(4, "1")).toBe("instruction 1 → instruction 2");
  expect(compared(3, "1.1")).toBe("instruction 1, turn 1 → instruction 2, turn 1");
});

it("knows the start, the end, and what a change found", () => {
  expect(compared(2, "0")).toBe("the start → instruction 1");
  expect(compared(2, "end")).toBe("instruction 1 → the end (instruction 3, turn 1)");
  expect(compared(4, "last")).toBe("instruction 1, turn 1 → instruction 2");
});
