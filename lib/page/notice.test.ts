import { expect, it } from "vitest";
import { isOver, type Notice } from "./notice.ts";

const before = { status: "waiting", updatedAt: "1" } as const;
const over = (problem: Notice["problem"], status: "waiting" | "running" | "completed", updatedAt: string): boolean =>
  isOver({ says: "", before, ...(problem ? { problem } : {}) }, { status, updatedAt });

it("says what was done as long as the run computes on, and not once it stands still again", () => {
  expect([over(undefined, "waiting", "1"), over(undefined, "running", "2")]).toEqual([false, false]);
  expect([over(undefined, "completed", "3"), over(undefined, "waiting", "3")]).toEqual([true, true]);
});

it("says what was refused until the run stands otherwise, and what nobody answered until there is news", () => {
  expect([over("refused", "waiting", "2"), over("refused", "running", "2")]).toEqual([false, true]);
  expect([over("lost", "waiting", "1"), over("lost", "waiting", "2")]).toEqual([false, true]);
});
