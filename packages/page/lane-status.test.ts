import { describe, expect, it } from "vitest";
import { laneStatusOf } from "./lane-status.ts";

const NOW = Date.parse("2026-11-21T10:00:12.000Z");
const busy = { lane: 2, instruction: 3, title: "A · B", turns: 1, microUsd: 20_000, since: "2026-11-21T10:00:00.000Z" };

describe("an instruction in lanes", () => {
  it("names its lane, with turns, time and cost while it is ahead of the run", () => {
    expect(laneStatusOf({ number: 3 }, { lanes: [busy] }, NOW)).toEqual({
      ...{ label: "running in lane 2", sign: "▶", words: "lane 2 · 1 turn · 12s · $0.02" },
    });
    expect(laneStatusOf({ number: 4 }, { lanes: [busy] }, NOW)).toBeUndefined();
  });

  it("names the first lane alone: the history has the rest", () => {
    expect(laneStatusOf({ number: 3 }, { lanes: [{ ...busy, lane: 1 }] }, NOW)?.words).toBe("lane 1");
    const joining = { ...busy, lane: 1, from: 2 };
    expect(laneStatusOf({ number: 3 }, { lanes: [joining] }, NOW)?.words).toBe("lane 1 · joins from lane 2");
  });

  it("says what is finished, and why what was done in vain is executed again", () => {
    const ahead = { lane: 2, base: 1, turns: 2 };
    expect(laneStatusOf({ number: 3, ahead: { ...ahead, state: "finished" } }, {}, NOW)).toEqual({
      ...{ label: "finished", sign: "◐", words: "finished in lane 2, joins in its turn" },
    });
    expect(
      laneStatusOf({ number: 3, ahead: { ...ahead, state: "dropped", why: "a.txt changed" } }, {}, NOW)?.words,
    ).toBe("lane 2's work was dropped: a.txt changed; the run executes the instruction itself");
    expect(laneStatusOf({ number: 3, ahead: { ...ahead, state: "joined" } }, {}, NOW)).toBeUndefined();
  });
});
