import { expect, it } from "vitest";
import { isOutdated, type Notice } from "./notice.ts";

const before = { status: "waiting", updatedAt: "1" } as const;
const over = (problem: Notice["problem"], status: "waiting" | "running" | "completed", updatedAt: string): boolean =>
  isOutdated({ text: "", before, ...(problem ? { problem } : {}) }, { status, updatedAt });

it("reports a success while the run works, and not after it has stopped", () => {
  expect([over(undefined, "waiting", "1"), over(undefined, "running", "2")]).toEqual([false, false]);
  expect([over(undefined, "completed", "3"), over(undefined, "waiting", "3")]).toEqual([true, true]);
});

it("reports a refusal until the status changes, and a lost answer until there is news", () => {
  expect([over("refused", "waiting", "2"), over("refused", "running", "2")]).toEqual([false, true]);
  expect([over("lost", "waiting", "1"), over("lost", "waiting", "2")]).toEqual([false, true]);
});
