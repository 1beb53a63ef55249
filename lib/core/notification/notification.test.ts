import { describe, expect, it } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import type { Budget } from "../run/option-forms.ts";
import type { Run } from "../run/run.ts";
import { NOTIFICATION_TRIES, nextTryMs, notificationsOf } from "./notification.ts";

const NOW = "2026-03-01T12:00:00.000Z";
const notified = (before: Partial<Run>, after: Partial<Run>) =>
  notificationsOf(aRun({ status: "running", ...before }), aRun({ status: "running", ...before, ...after }), NOW);
const types = (before: Partial<Run>, after: Partial<Run>) => notified(before, after).map(({ type }) => type);
const within = (budget: Budget): Pick<Run, "options"> => ({ options: { ...aRun().options, budget } });

describe("what a webhook is notified of", () => {
  it.each(["completed", "partial", "failed", "cancelled"] as const)("is that a run is %s, once", (status) => {
    expect(types({}, { status })).toEqual([status]);
    expect(types({ status }, { status, detail: "again" })).toEqual([]);
  });

  it("is that a run waits for a person, and not that it waits for a server", () => {
    expect(types({}, { status: "waiting", reason: "approval" })).toEqual(["waiting"]);
    expect(types({}, { status: "waiting", reason: "answer" })).toEqual(["waiting"]);
    expect(types({}, { status: "waiting", reason: "interrupted" })).toEqual(["waiting"]);
    expect(types({ status: "waiting", reason: "interrupted" }, { status: "waiting", reason: "approval" })).toEqual([
      "waiting",
    ]);
    expect(types({ status: "waiting", reason: "approval" }, { detail: "noted" })).toEqual([]);
    expect(types({}, { status: "waiting", reason: "rate_limited", waitUntil: NOW })).toEqual([]);
  });

  it.each([
    ["usd", { usd: 0.1 }, { microUsd: 79_999 }, { microUsd: 80_000 }],
    ["tokens", { tokens: 100 }, { inputTokens: 50, outputTokens: 29 }, { outputTokens: 30 }],
    ["turns", { turns: 5 }, { turns: 3 }, { turns: 4 }],
    ["minutes", { minutes: 1.5 }, { activeMs: 71_999 }, { activeMs: 72_000 }],
  ] as const)("is that 80 %% of %s are used, at that turn and never after", (of, budget, before, after) => {
    expect(notified({ ...within(budget), ...before }, after)).toMatchObject([{ type: "ceiling", ceiling: { of } }]);
    expect(types({ ...within(budget), ...before }, before)).toEqual([]);
    expect(types({ ...within(budget), ...before, ...after }, { turns: 5, microUsd: 99_999 })).toEqual([]);
  });

  it("is of a higher ceiling again, when that is near", () => {
    const near = { ...within({ turns: 5 }), turns: 4 };
    expect(types(near, within({ turns: 10 }))).toEqual([]);
    expect(types({ ...near, ...within({ turns: 10 }), turns: 7 }, { turns: 8 })).toEqual(["ceiling"]);
  });

  it("has one notification for each of several ceilings, with ids of their own that stay the same", () => {
    const change = [
      { ...within({ turns: 5, tokens: 10 }), turns: 3 },
      { turns: 4, inputTokens: 9, events: 7 },
    ] as const;
    expect(notified(...change).map(({ id }) => id)).toEqual([
      "01TESTRUN-7-ceiling-tokens",
      "01TESTRUN-7-ceiling-turns",
    ]);
    expect(notified(...change)).toEqual(notified(...change));
  });

  it("is an end alone where the run ends at its ceiling", () => {
    const end = { turns: 5, status: "partial", reason: "turns", detail: "The ceiling is reached." } as const;
    expect(notified({ ...within({ turns: 5 }), turns: 3 }, { ...end, events: 9 })).toEqual([
      {
        ...{ id: "01TESTRUN-9-partial", type: "partial", at: NOW },
        run: {
          ...{ id: "01TESTRUN", name: "test", title: "A test" },
          ...{ status: "partial", reason: "turns", detail: "The ceiling is reached." },
        },
        cost: { usd: 0, tokens: 0, turns: 5, minutes: 0 },
      },
    ]);
  });

  it("fits an item of the registry, however long a title and a detail are", () => {
    const long = { title: "t".repeat(1e6), detail: "d".repeat(1e6) };
    expect(JSON.stringify(notified(long, { status: "failed" })).length).toBeLessThan(3_000);
  });
});

it("a notification is tried for half a day", () => {
  const waits = Array.from({ length: NOTIFICATION_TRIES - 1 }, (_, at) => nextTryMs(at + 1));
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits.reduce((sum, wait) => sum + wait) / 3_600_000).toBeCloseTo(15.35);
});
