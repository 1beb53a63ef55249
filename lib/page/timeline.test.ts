import { describe, expect, it } from "vitest";
import type { Draft } from "../core/program/program.ts";
import type { ToldTurn } from "../core/turn/turn.ts";
import { hashOf, type Place, placeIn } from "./place.ts";
import { placeOf, timelineOf } from "./timeline.ts";

const aTurn = (instruction: number, turn: number, over: Partial<ToldTurn> = {}): ToldTurn => ({
  ...{ instruction, turn, epoch: 1, attempt: 1, segment: 0, state: "committed", at: "2026-01-01T00:00:00.000Z" },
  ...{ inputTokens: 1, cachedTokens: 0, outputTokens: 1, microUsd: 5, milliseconds: 10, changes: [], outcome: "tools" },
  ...over,
});

const program: Draft = {
  instructions: ["One", "Two", "Three"].map((title) => ({ title, text: title, requirements: [] })),
  requirements: [],
};

const wrote = (path: string, sha256: string | null = "a") => ({ changes: [{ path, sha256, was: null, bytes: 1 }] });

describe("a run as it stood", () => {
  const turns = [
    aTurn(0, 1, { outcome: "accepted" }),
    aTurn(1, 1, wrote("a.txt")),
    aTurn(1, 2, { outcome: "accepted", found: { passed: 2, failed: 0 } }),
    aTurn(2, 1, { ...wrote("a.txt", null), found: { errors: 1 } }),
    aTurn(2, 2, wrote("b.txt")),
    aTurn(2, 3, { outcome: "discarded", ...wrote("b.txt", null) }),
  ];

  const then = (until: number, start: string[] = []) => timelineOf({ turns, program, start }).at(until - 1);

  it("has the files of then, with who changed each last", () => {
    expect(then(2).files()).toEqual([{ path: "a.txt", last: turns[1] }]);
    expect([2, 4, 0].map((until) => then(until).has("a.txt"))).toEqual([true, false, false]);
    expect(then(0, ["a.txt"]).has("a.txt")).toBe(true);
    expect(then(5).files()).toEqual([{ path: "b.txt", last: turns[4] }]);
    expect(then(6, ["given.md", "a.txt"]).files()).toEqual([{ path: "given.md" }]);
    expect(then(0, ["given.md", "a.txt"]).files()).toEqual([{ path: "a.txt" }, { path: "given.md" }]);
  });

  it("has its program with the state of then, and its sums", () => {
    const states = (until: number) => [1, 2, 3].map((number) => then(until).instruction(number).state);
    expect(states(1)).toEqual(["to come", "to come", "to come"]);
    expect(states(2)).toEqual(["begun", "to come", "to come"]);
    expect(states(6)).toEqual(["done", "skipped", "to come"]);
    expect(then(6).microUsd).toBe(30);
    expect(then(3).instruction(1)).toMatchObject({ turns: 2, microUsd: 10, milliseconds: 20, newTests: 2 });
    expect(then(2).instruction(1)).toMatchObject({ turns: 1, newTests: 0 });
    expect(then(5).turnsOf(2)).toEqual([turns[3], turns[4]]);
  });

  it("says of an instruction that is over what it took with its checks, and of one under way what its turns took", () => {
    const instructions = program.instructions.map((each) => ({ ...each, milliseconds: 4_000 }));
    const timeline = timelineOf({ turns, program: { instructions } });
    expect([1, 2].map((index) => timeline.at(index).instruction(1).milliseconds)).toEqual([10, 4_000]);
    const begun = program.instructions.map((each) => ({ ...each, milliseconds: 0 }));
    const running = timelineOf({ turns: turns.slice(0, 3), program: { instructions: begun } });
    expect(running.at(2).instruction(1).milliseconds).toBe(20);
  });

  it("counts for each instruction how often it was refused, and the locked tests that it amended, until then", () => {
    const own = [
      aTurn(1, 1, { refused: "tests" }),
      aTurn(1, 2, { amended: ["a", "b"], refused: "tests" }),
      aTurn(2, 1),
    ];
    const timeline = timelineOf({ turns: own, program });
    const counts = [0, 1, 2].map((index) => timeline.at(index).instruction(1));
    expect(counts.map(({ refusals, amended }) => [refusals, amended])).toEqual([
      [1, 0],
      [2, 2],
      [2, 2],
    ]);
    expect(timeline.at(2).instruction(2)).toMatchObject({ refusals: 0, amended: 0 });
  });

  it("shows a stuck instruction as stuck after its last turn, and as begun before", () => {
    const instructions = program.instructions.map((each, index) =>
      index === 1 ? { ...each, status: "trapped" } : each,
    );
    const timeline = timelineOf({ turns: turns.slice(0, 5), program: { instructions } });
    expect([3, 4].map((index) => timeline.at(index).instruction(2).state)).toEqual(["begun", "stuck"]);
  });

  it("shows a skipped instruction of which nothing had to be taken back as skipped after its last turn", () => {
    const instructions = program.instructions.map((each, index) =>
      index === 0 ? { ...each, status: "skipped" } : each,
    );
    const own = [aTurn(0, 1, { outcome: "accepted" }), aTurn(1, 1), aTurn(1, 2), aTurn(2, 1)];
    const timeline = timelineOf({ turns: own, program: { instructions } });
    expect([0, 1, 2, 3].map((index) => timeline.at(index).instruction(1).state)).toEqual([
      ...["to come", "begun", "skipped", "skipped"],
    ]);
  });

  it("knows which turns changed a file, and where each instruction ended", () => {
    const timeline = timelineOf({ turns, program });
    expect(timeline.changesOf("a.txt")).toEqual([turns[1], turns[3]]);
    expect(timeline.ends()).toEqual([turns[0], turns[2], turns[5]]);
  });

  it("is the same as one that is folded from the start, wherever it is looked at", () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      aTurn(Math.floor(index / 7), (index % 7) + 1, wrote(`${(index * 7) % 11}.txt`, index % 5 === 0 ? null : "a")),
    );
    const timeline = timelineOf({ turns: many, program });
    for (const until of [1, 2, 50, 299, 300]) {
      const files = new Map<string, ToldTurn>();
      for (const turn of many.slice(0, until))
        for (const { path, sha256 } of turn.changes)
          if (sha256 === null) files.delete(path);
          else files.set(path, turn);
      const folded = [...files].map(([path, last]) => ({ path, last })).sort((a, b) => (a.path < b.path ? -1 : 1));
      expect(timeline.at(until - 1).files()).toEqual(folded);
    }
  });

  it("is found by instruction and turn, or by the last turn of an instruction", () => {
    expect([placeOf(turns, { instruction: 1, turn: 1 }), placeOf(turns, { instruction: 2 })]).toEqual([1, 5]);
    expect(placeOf(turns, { instruction: 3 })).toBe(-1);
  });
});

describe("the page's address", () => {
  const id = "01M7ZR63C0YXE0KT7F3MTSJJGS";
  it.each<Place>([
    { view: "runs" },
    { view: "run", id, tab: "transcript" },
    { view: "run", id, tab: "pictures", instruction: 0, turn: 2 },
    { view: "run", id, tab: "file", instruction: 12, file: 'a&b=c #"/é.py', line: 7 },
    { view: "run", id, tab: "file", file: "a", against: "last" },
    { view: "run", id, tab: "file", file: "a", against: "3.2" },
    { view: "run", id, tab: "file", file: "a", against: "end" },
  ])("says where it is: %j", (place) => {
    expect(placeIn(hashOf(place))).toEqual(place);
  });

  it.each(["", "#", "#run=../../x", "#run=javascript:alert(1)", "#at=3"])(
    "leads to the runs from anything else: %s",
    (hash) => {
      expect(placeIn(hash)).toEqual({ view: "runs" });
    },
  );
});
