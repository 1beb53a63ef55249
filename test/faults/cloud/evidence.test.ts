import { describe, expect, it } from "vitest";
import type { Event } from "../../../lib/core/run/event.ts";
import type { Run } from "../../../lib/core/run/run.ts";
import type { Turn } from "../../../lib/core/turn/turn.ts";
import { type Evidence, problemsOf } from "./evidence.ts";

const RUN = { status: "completed", events: 2, microUsd: 70, reservedMicroUsd: 0, reservedTokens: 0 } as Run;
const TURN = { instruction: 1, turn: 1, state: "committed", microUsd: 40 } as Turn;
const EVENTS = [
  { seq: 1, type: "created", task: "it" },
  { seq: 2, type: "written_off", microUsd: 30, tokens: 5, why: "a call was in flight" },
] as Event[];

const UNDISTURBED: Evidence = {
  run: RUN,
  hash: "abc",
  asked: 10,
  events: EVENTS,
  turns: [TURN],
  isActive: false,
  replayed: { treeHash: "t", expected: "t", turns: 1 },
};

const problems = (seen: Partial<Evidence>, lost = 1): string[] =>
  problemsOf({ ...UNDISTURBED, ...seen }, UNDISTURBED, lost);
const run = (changed: Partial<Run>): Partial<Evidence> => ({ run: { ...RUN, ...changed } });

describe("what is left of a run that something befell", () => {
  it("has nothing wrong where it is as it is undisturbed, and no more calls are lost than may be", () => {
    expect(problems({})).toEqual([]);
    expect(problems({ asked: 11 })).toEqual([]);
  });

  it.each<[string, Partial<Evidence>, RegExp]>([
    ["another ending", run({ status: "failed", reason: "internal", detail: "why" }), /ended failed \(internal\) why/],
    ["an ending with a reason", run({ reason: "unchecked" }), /completed \(unchecked\)/],
    ["another zip", { hash: "abd" }, /zip is another one/],
    ["a second lost call", { asked: 12 }, /asked 2 times more, and 1/],
    ["a call that was not made", { asked: 9 }, /asked -1 times more/],
    ["an event that comes twice", { events: [EVENTS[0], ...EVENTS] as Event[] }, /up to 1 without a gap/],
    ["an event that is missing", { events: EVENTS.slice(1) }, /up to 2 without a gap/],
    ["a last event that is missing", run({ events: 3 }), /2 events, and the run counts 3/],
    ["a place among the active ones", { isActive: true }, /still active/],
    ["a charge that nothing explains", run({ microUsd: 71 }), /71 is spent, and not 40 \+ 30/],
    ["a reservation", run({ reservedTokens: 1 }), /still reserved/],
    ["a turn without its effects", { turns: [{ ...TURN, state: "answered" }] }, /1\.1 was answered and never/],
    ["too many turns", { turns: [TURN, { ...TURN, microUsd: 0 }, { ...TURN, microUsd: 0 }] }, /2 turns more/],
    ["a replay to another tree", { replayed: { treeHash: "t", expected: "u", turns: 1 } }, /another tree/],
    [
      "a replay that asks something else",
      { replayed: { treeHash: "t", expected: "t", turns: 1, difference: { instruction: 2, turn: 1, what: "more" } } },
      /differs at 2\.1: more/,
    ],
  ])("is wrong with %s", (_, seen, said) => {
    expect(problems(seen)).toEqual([expect.stringMatching(said)]);
  });
});
