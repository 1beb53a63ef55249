import { describe, expect, it } from "vitest";
import type { Draft } from "../program/program.ts";
import type { TurnRecord } from "../turn/turn.ts";
import { historyOf, indexOfTurn, type RecordedInstruction } from "./history.ts";

const aTurn = (instruction: number, turn: number, over: Partial<TurnRecord> = {}): TurnRecord => ({
  ...{ instruction, turn, epoch: 1, attempt: 1, segment: 0, state: "committed", at: "2026-01-01T00:00:00.000Z" },
  ...{ inputTokens: 1, cachedTokens: 0, outputTokens: 1, microUsd: 5, milliseconds: 10, changes: [], outcome: "tools" },
  ...over,
});

const program: Draft = {
  instructions: ["One", "Two", "Three"].map((title) => ({ title, text: title, requirements: [] })),
  requirements: [],
};

const wrote = (path: string, sha256: string | null = "a") => ({ changes: [{ path, sha256, was: null, bytes: 1 }] });

describe("the history of a run", () => {
  const turns = [
    aTurn(0, 1, { outcome: "accepted" }),
    aTurn(1, 1, wrote("a.txt")),
    aTurn(1, 2, { outcome: "accepted", found: { passed: 2, failed: 0 } }),
    aTurn(2, 1, { ...wrote("a.txt", null), found: { errors: 1 } }),
    aTurn(2, 2, wrote("b.txt")),
    aTurn(2, 3, { outcome: "discarded", ...wrote("b.txt", null) }),
  ];

  const then = (until: number, start: string[] = []) => historyOf({ turns, program, start }).at(until - 1);

  it("has the files after each turn, and the turn that changed each last", () => {
    expect(then(2).files()).toEqual([{ path: "a.txt", last: turns[1] }]);
    expect([2, 4, 0].map((until) => then(until).has("a.txt"))).toEqual([true, false, false]);
    expect(then(0, ["a.txt"]).has("a.txt")).toBe(true);
    expect(then(5).files()).toEqual([{ path: "b.txt", last: turns[4] }]);
    expect(then(6, ["given.md", "a.txt"]).files()).toEqual([{ path: "given.md" }]);
    expect(then(0, ["given.md", "a.txt"]).files()).toEqual([{ path: "a.txt" }, { path: "given.md" }]);
  });

  it("has the state of each instruction after each turn, and its totals", () => {
    const states = (until: number) => [1, 2, 3].map((number) => then(until).instruction(number).state);
    expect(states(1)).toEqual(["pending", "pending", "pending"]);
    expect(states(2)).toEqual(["started", "pending", "pending"]);
    expect(states(6)).toEqual(["accepted", "skipped", "pending"]);
    expect(then(6).microUsd).toBe(30);
    expect(then(3).instruction(1)).toMatchObject({ turns: 2, microUsd: 10, milliseconds: 20, newTests: 2 });
    expect(then(2).instruction(1)).toMatchObject({ turns: 1, newTests: 0 });
    expect(then(5).turnsOf(2)).toEqual([turns[3], turns[4]]);
  });

  it("includes the checks in the time of an instruction that has ended", () => {
    const instructions = program.instructions.map((each) => ({ ...each, milliseconds: 4_000 }));
    const history = historyOf({ turns, program: { instructions } });
    expect([1, 2].map((index) => history.at(index).instruction(1).milliseconds)).toEqual([10, 4_000]);
    const begun = program.instructions.map((each) => ({ ...each, milliseconds: 0 }));
    const running = historyOf({ turns: turns.slice(0, 3), program: { instructions: begun } });
    expect(running.at(2).instruction(1).milliseconds).toBe(20);
  });

  it("shows an instruction that was accepted unchecked as unchecked", () => {
    const instructions: RecordedInstruction[] = program.instructions.map((each) => ({ ...each, unchecked: ["tests"] }));
    expect(historyOf({ turns, program: { instructions } }).at(5).states()).toEqual(["unchecked", "skipped", "pending"]);
  });

  it("does not depend on the order in which instructions are executed", () => {
    const own = [aTurn(2, 1), aTurn(1, 1, { refused: "tests" }), aTurn(2, 2, { outcome: "accepted" }), aTurn(1, 2)];
    const history = historyOf({ turns: own, program });
    expect([0, 1, 2, 3].map((index) => history.at(index).states())).toEqual([
      ["pending", "started", "pending"],
      ["started", "started", "pending"],
      ["started", "accepted", "pending"],
      ["started", "accepted", "pending"],
    ]);
    expect(history.at(3).instruction(1)).toMatchObject({ turns: 2, refusals: 1 });
    expect(history.at(3).turnsOf(2)).toEqual([own[0], own[2]]);
    expect(history.ends()).toEqual([own[2], own[3]]);
  });

  it("counts refusals and amended tests of each instruction", () => {
    const own = [
      aTurn(1, 1, { refused: "tests" }),
      aTurn(1, 2, { amended: ["a", "b"], refused: "tests" }),
      aTurn(2, 1),
    ];
    const history = historyOf({ turns: own, program });
    const counts = [0, 1, 2].map((index) => history.at(index).instruction(1));
    expect(counts.map(({ refusals, amended }) => [refusals, amended])).toEqual([
      [1, 0],
      [2, 2],
      [2, 2],
    ]);
    expect(history.at(2).instruction(2)).toMatchObject({ refusals: 0, amended: 0 });
  });

  it("shows a stuck instruction as stuck after its last turn, and as begun before", () => {
    const instructions = program.instructions.map((each, index) =>
      index === 1 ? { ...each, status: "trapped" as const } : each,
    );
    const history = historyOf({ turns: turns.slice(0, 5), program: { instructions } });
    expect([3, 4].map((index) => history.at(index).instruction(2).state)).toEqual(["started", "stuck"]);
  });

  it("shows a skipped instruction without changes as skipped after its last turn", () => {
    const instructions = program.instructions.map((each, index) =>
      index === 0 ? { ...each, status: "skipped" as const } : each,
    );
    const own = [aTurn(0, 1, { outcome: "accepted" }), aTurn(1, 1), aTurn(1, 2), aTurn(2, 1)];
    const history = historyOf({ turns: own, program: { instructions } });
    expect([0, 1, 2, 3].map((index) => history.at(index).instruction(1).state)).toEqual([
      ...["pending", "started", "skipped", "skipped"],
    ]);
  });

  it("knows which turns changed a file, and where each instruction ended", () => {
    const history = historyOf({ turns, program });
    expect(history.changesOf("a.txt")).toEqual([turns[1], turns[3]]);
    expect(history.ends()).toEqual([turns[0], turns[2], turns[5]]);
  });

  it("has the same files as a replay of all changes from the start", () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      aTurn(Math.floor(index / 7), (index % 7) + 1, wrote(`${(index * 7) % 11}.txt`, index % 5 === 0 ? null : "a")),
    );
    const history = historyOf({ turns: many, program });
    for (const until of [1, 2, 50, 299, 300]) {
      const files = new Map<string, TurnRecord>();
      for (const turn of many.slice(0, until))
        for (const { path, sha256 } of turn.changes)
          if (sha256 === null) files.delete(path);
          else files.set(path, turn);
      const folded = [...files].map(([path, last]) => ({ path, last })).sort((a, b) => (a.path < b.path ? -1 : 1));
      expect(history.at(until - 1).files()).toEqual(folded);
    }
  });

  it("finds a turn by instruction and turn, or the last turn of an instruction", () => {
    expect([indexOfTurn(turns, { instruction: 1, turn: 1 }), indexOfTurn(turns, { instruction: 2 })]).toEqual([1, 5]);
    expect(indexOfTurn(turns, { instruction: 3 })).toBe(-1);
  });
});
