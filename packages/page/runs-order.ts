/** The orders in which the runs of a list can be shown. Pure. */
import type { Run } from "../../lib/core/run/run.ts";
import { isWorking } from "./run-summary.ts";

export const ORDERS = {
  newest: "newest first",
  oldest: "oldest first",
  name: "name",
  cost: "highest cost",
  time: "longest time",
  tests: "most tests failed",
} as const;
export type Order = keyof typeof ORDERS;

export const isOrder = (text: string): text is Order => Object.hasOwn(ORDERS, text);

type Ordered = Pick<
  Run,
  "id" | "name" | "createdAt" | "microUsd" | "activeMs" | "testsTotal" | "testsPassed" | "status" | "updatedAt"
>;

/** Equal ones stay as the server lists them: newest first. */
export function inOrder<Each extends Ordered>(runs: Each[], order: Order, now: number): Each[] {
  const activeMs = (run: Each): number =>
    run.activeMs + (isWorking(run) ? Math.max(0, now - Date.parse(run.updatedAt)) : 0);
  const compare: Record<Order, (a: Each, b: Each) => number> = {
    newest: () => 0,
    oldest: (a, b) => a.createdAt.localeCompare(b.createdAt),
    name: (a, b) => a.name.localeCompare(b.name),
    cost: (a, b) => b.microUsd - a.microUsd,
    time: (a, b) => activeMs(b) - activeMs(a),
    tests: (a, b) => b.testsTotal - b.testsPassed - (a.testsTotal - a.testsPassed),
  };
  return runs.toSorted(compare[order]);
}
