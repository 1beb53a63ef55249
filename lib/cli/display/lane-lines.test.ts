/** A run with lanes in the terminal: each line says which instruction it is of, and each row which lane has it. */
import { expect, it } from "vitest";
import type { Event, EventBody } from "../../core/run/event.ts";
import { busyWords } from "../../core/run/lanes/busy-lane.ts";
import { applyEvent, emptyProgress } from "../../core/run/run-progress.ts";
import { lineOf } from "./event-line.ts";
import { liveLines } from "./live-lines.ts";

const BEGAN = Date.parse("2026-11-21T10:00:00.000Z");
const TITLES = ["Ground", "German", "French", "Italian"];
const started = (instruction: number, lane?: number): EventBody => ({
  ...{ type: "instruction_started", instruction, title: TITLES[instruction - 1] ?? "", attempt: 1, resumedAtTurn: 0 },
  ...(lane === undefined ? {} : { lane }),
});
const turn = (instruction: number, lane: number): EventBody => ({
  ...{ type: "turn", instruction, lane, turn: 1, outcome: "tools", microUsd: 10_000, milliseconds: 5 },
  ...{ inputTokens: 1, cachedTokens: 0, outputTokens: 1, contextTokens: 1 },
  tools: [{ name: "write_files", note: "a.js", ok: true, files: 1 }],
});
const finished: EventBody = { type: "finished", instruction: 4, lane: 3, title: "Italian", base: 1, turns: 1 };
const dropped: EventBody = { type: "dropped", instruction: 4, lane: 3, why: "a.js was changed" };

function rowsAfter(...bodies: EventBody[]): string[] {
  const view = emptyProgress();
  const program: EventBody = { type: "program", titles: TITLES, instructions: 4, requirements: 1, uncovered: [] };
  for (const [index, body] of [program, ...bodies].entries())
    applyEvent(view, { ...body, seq: index + 1, at: new Date(BEGAN).toISOString() } as Event);
  const frame = { view, title: "run 38KYQ3", startedAt: BEGAN, now: BEGAN + 5_000, columns: 70, rows: 24 };
  return liveLines({ ...frame, color: false }).map((line) => line.trimEnd());
}

it("has a row for each lane at work, and for what is finished in one", () => {
  expect(rowsAfter(started(2), started(3, 2), turn(3, 2), started(4, 3), turn(4, 3), finished)).toEqual([
    "run 38KYQ3 · 0/4 · $0.02 · 5s",
    " · 1 Ground",
    " ▶ 2 German   lane 1: waiting for the model              $0.00     5s",
    " ▶ 3 French   lane 2: write files a.js                   $0.01     5s",
    " ▶ 4 Italian  lane 3: finished, joins in its turn        $0.01     5s",
  ]);
});

it("keeps in the row why an instruction is executed again", () => {
  const [, , , , row] = rowsAfter(started(4, 3), turn(4, 3), finished, dropped);
  expect(row).toContain("again: a.js was changed");
});

it("names no lane where instructions are executed one after the other", () => {
  expect(rowsAfter(started(2)).join()).not.toContain("lane");
});

it("marks the lines of other lanes with lane and instruction, each line on its own", () => {
  const of = (body: EventBody) => lineOf({ ...body, seq: 1, at: "" }, 4);
  expect(of(started(3, 2))).toBe("▶ 3/4 French · lane 2");
  expect(of(turn(3, 2))).toMatch(/^ {2}lane 2, instruction 3 · turn 1: write_files a\.js/);
  expect(of(started(2))).toBe("▶ 2/4 German");
  expect(of(finished)).toBe("  instruction 4 is finished in lane 3, on the files after instruction 1 (1 turn)");
  expect(of({ ...finished, base: 0 })).toContain("in lane 3, on the files at the start (1 turn)");
  expect(of(dropped)).toBe("  lane 3's work was dropped: a.js was changed; the run executes instruction 4 itself");
});

it("says in status what a lane does: instruction, turns, time and cost, or what joins", () => {
  const lane = { lane: 2, instruction: 3, title: "French", turns: 1, microUsd: 10_000, since: "2026-11-21T10:00:00Z" };
  expect(busyWords(lane, BEGAN + 5_000)).toBe("3 French · 1 turn · 5s · $0.01");
  expect(busyWords({ ...lane, lane: 1, from: 2 }, BEGAN)).toBe("3 French · joins from lane 2");
});
