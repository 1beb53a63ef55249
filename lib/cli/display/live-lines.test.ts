import { describe, expect, it } from "vitest";
import type { Event, EventBody } from "../../core/run/event.ts";
import { applyEvent, emptyProgress, type RunProgress } from "../../core/run/run-progress.ts";
import { columnsOf } from "./columns.ts";
import { type LiveFrame, liveLines } from "./live-lines.ts";

const BEGAN = Date.parse("2026-11-21T10:00:00.000Z");
const at = (seconds: number): string => new Date(BEGAN + seconds * 1_000).toISOString();

function viewOf(...bodies: [seconds: number, body: EventBody][]): RunProgress {
  const view = emptyProgress();
  bodies.forEach(([seconds, body], index) => {
    applyEvent(view, { ...body, seq: index + 1, at: at(seconds) } as Event);
  });
  return view;
}

const program = (...titles: string[]): EventBody => ({
  type: "program",
  titles,
  instructions: titles.length,
  requirements: 3,
  uncovered: [],
});
const started = (instruction: number, title: string): EventBody => ({
  type: "instruction_started",
  instruction,
  title,
  attempt: 1,
  resumedAtTurn: 0,
});
const turn = (
  instruction: number,
  tools: [name: string, note: string, ok?: boolean, files?: number][],
  microUsd = 70_000,
): EventBody => ({
  type: "turn",
  instruction,
  turn: 4,
  outcome: "tools",
  tools: tools.map(([name, note, ok = true, files = 1]) => ({ name, note, ok, files })),
  inputTokens: 1,
  cachedTokens: 0,
  outputTokens: 1,
  microUsd,
  milliseconds: 5,
  contextTokens: 1,
});
const accepted = (instruction: number, title: string, total = 0): EventBody => ({
  type: "instruction_accepted",
  instruction,
  title,
  turns: 3,
  microUsd: 110_000,
  milliseconds: 112_000,
  filesWritten: 3,
  unchecked: false,
  tests: { passed: total, total },
});

const frame = (view: RunProgress, over: Partial<LiveFrame> = {}): LiveFrame => ({
  view,
  title: "run 38KYQ3 · url-shortener",
  budgetUsd: 5,
  startedAt: BEGAN,
  now: BEGAN + 660_000,
  columns: 90,
  rows: 24,
  color: false,
  ...over,
});

const midway = (): RunProgress =>
  viewOf(
    [0, program("Analytics", "Accounts", "Admin dashboard")],
    [1, started(1, "Analytics")],
    [
      2,
      turn(
        1,
        [
          ["read_files", "src/a.js"],
          ["write_files", "3 files · syntax ok", true, 3],
        ],
        110_000,
      ),
    ],
    [3, accepted(1, "Analytics", 6)],
    [612, started(2, "Accounts")],
    [613, turn(2, [["write_files", "models/user.py"]])],
  );

describe("the live view", () => {
  it("has a header and one line to an instruction, with what was done, what is done, and what is to come", () => {
    expect(liveLines(frame(midway())).map((line) => line.trimEnd())).toEqual([
      "run 38KYQ3 · url-shortener · 1/3 · $0.18 of $5.00 · 11m00 · tests 6/6",
      " ✔ 1 Analytics        3 written 1 read  tests +6                             $0.11   1m52",
      " ▶ 2 Accounts         write files models/user.py                             $0.07    48s",
      " · 3 Admin dashboard",
    ]);
  });

  it("has room at 80 columns for what was repaired and refused, and counts turns only where they run out", () => {
    const view = viewOf(
      [0, program("List entries in order and in columns, with amounts at the right")],
      [1, started(1, "List entries in order and in columns, with amounts at the right")],
      [2, turn(1, [["run_command", "node bin/tally.js add 12.50 food"]])],
    );
    const rowOf = (): string | undefined => liveLines(frame(view, { columns: 80, isFree: true }))[1];
    expect(rowOf()).toContain("run command node bin/tally.js ad");
    const [row] = view.instructions;
    if (!row) throw new Error("There is no row.");
    row.turns = 31;
    expect(rowOf()).toContain("turn 31/40  run command");
    Object.assign(row, { state: "accepted", written: 3, read: 0, repaired: 1, refused: 1 });
    expect(rowOf()).toContain("3 written  repaired 1  refused 1");
  });

  it.each([20, 34, 50, 80, 200])("never takes more than the %i columns there are", (columns) => {
    const view = viewOf([0, program("你好".repeat(60), "x".repeat(300))], [1, started(1, "你好".repeat(60))]);
    applyEvent(view, { type: "waiting", why: "y".repeat(300), seq: 9, at: at(3) });
    for (const line of liveLines(frame(view, { columns }))) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
  });

  it.each([
    [61, "run 38KYQ3 · url-… · 1/3 · $0.18 of $5.00 · 11m00 · tests 6/6"],
    [54, "run 38KYQ3 · url-sh… · 1/3 · $0.18 · 11m00 · tests 6/6"],
    [40, "run 38KYQ3 · url-… · 1/3 · $0.18 · 11m00"],
    [30, "run 38KYQ3 · ur… · 1/3 · 11m00"],
  ])("keeps in the header of %i columns what is wanted most", (columns, head) => {
    const [shown = ""] = liveLines(frame(midway(), { columns }));
    expect(shown).toBe(head);
    expect(columnsOf(shown)).toBeLessThanOrEqual(columns);
  });

  it.each([
    [30, "rehearsal 38KYQ3 · 1/3 · 11m00"],
    [32, "rehearsal 38KYQ3 · 1/3 · 11m00"],
    [34, "rehearsal 38KYQ3 · 1/3 · 11m00"],
    [35, "rehearsal 38KYQ3 · u… · 1/3 · 11m00"],
    [40, "rehearsal 38KYQ3 · 1/3 · $0.18 · 11m00"],
  ])("leaves the name out of the header of %i columns rather than hint at it", (columns, head) => {
    const [shown] = liveLines(frame(midway(), { columns, title: "rehearsal 38KYQ3 · url-shortener" }));
    expect(shown).toBe(head);
  });

  it("leaves out what an instruction cost where there is hardly room for its title", () => {
    const narrow = liveLines(frame(midway(), { columns: 30 }));
    expect(narrow.slice(1)).toEqual([
      " ✔ 1 Analytics           1m52",
      " ▶ 2 Accounts             48s",
      " · 3 Admin dashboard",
    ]);
  });

  it.each([1, 2, 3])("takes %i rows less than one even where something is to be said", (rows) => {
    const view = midway();
    applyEvent(view, { type: "waiting", why: "Too many requests.", seq: 9, at: at(650) });
    const lines = liveLines(frame(view, { rows }));
    expect(lines).toHaveLength(Math.max(1, rows - 1));
    if (rows > 2) expect(lines[1]).toContain("▶ 2 Accounts");
  });

  it.each([4, 6, 10, 24])(
    "never takes more than the %i rows there are, and keeps the running line in sight",
    (rows) => {
      const titles = Array.from({ length: 60 }, (_, index) => `Part ${index + 1}`);
      const done = titles.slice(0, 41).map((title, index): [number, EventBody] => [1, accepted(index + 1, title)]);
      const lines = liveLines(frame(viewOf([0, program(...titles)], ...done, [2, started(42, "Part 42")]), { rows }));
      expect(lines.length).toBeLessThan(rows);
      expect(lines.join("\n")).toContain("▶ 42 Part 42");
      if (rows > 4) expect(lines.join("\n")).toMatch(/… \d+ more above/);
    },
  );

  it("says why nothing happens, and until when", () => {
    const view = midway();
    applyEvent(view, { type: "waiting", why: "Too many requests.", until: at(690), seq: 9, at: at(650) });
    expect(liveLines(frame(view)).at(-1)).toBe(" waiting, next try in 30s: Too many requests.");
  });

  it("says how much of an answer has arrived, beside its instruction or, while it plans, below", () => {
    const view = midway();
    view.underway = { instruction: 2, turn: 5, characters: 12_345 };
    expect(liveLines(frame(view, { columns: 120 }))[2]).toContain("the model writes: 12.3k characters");
    const planning = viewOf([0, { type: "planning" } as EventBody]);
    planning.underway = { instruction: 0, turn: 1, characters: 814 };
    expect(liveLines(frame(planning)).at(-1)).toBe(" the model writes: 814 characters");
  });

  it("shows an instruction that could not be checked as what it is, never as done", () => {
    const view = viewOf([0, program("Part")], [1, { ...accepted(1, "Part"), unchecked: true } as EventBody]);
    expect(liveLines(frame(view))[1]).toMatch(/^ ~ 1 Part .*unchecked/);
  });

  it("shows an instruction that was skipped as what it is, with what it cost", () => {
    const view = midway();
    const skipped = {
      instruction: 2,
      title: "Accounts",
      why: "",
      paths: 1,
      turns: 40,
      microUsd: 90_000,
      milliseconds: 9_000,
    };
    applyEvent(view, { type: "instruction_skipped", ...skipped, seq: 9, at: at(700) });
    expect(liveLines(frame(view))[2]).toMatch(/^ ↷ 2 Accounts +skipped; its changes are reverted +\$0\.09 +9s$/);
  });

  it("shows nothing of what a model wrote that could move the cursor", () => {
    const view = viewOf(
      [0, program("\u001b[2JPart\nof it")],
      [1, started(1, "x")],
      [2, turn(1, [["write_files", "a\u001b[31m"]])],
    );
    expect(liveLines(frame(view)).join("\n")).not.toContain("\u001b");
  });

  it("colours only where colours are wanted", () => {
    expect(liveLines(frame(midway(), { color: true })).join("\n")).toContain("\u001b[32m");
    expect(liveLines(frame(midway())).join("\n")).not.toContain("\u001b");
  });

  it("shows the instruction that is stuck, once the run has ended", () => {
    const view = midway();
    applyEvent(view, { type: "ended", status: "partial", reason: "trapped", detail: "", seq: 9, at: at(700) });
    expect(liveLines(frame(view))[2]).toMatch(/^ ✘ 2 Accounts/);
  });
});

describe("a row", () => {
  const verdict = (syntax: string, gate: "none" | "blocked" | "accepted"): EventBody => ({
    ...{ type: "verdict", instruction: 1, turn: 1, syntax, tests: "not_run", passed: 0, failed: 0, errors: 0 },
    ...{ gate, detail: "" },
  });

  it("keeps what was repaired and refused on the way", () => {
    const view = viewOf(
      [0, program("Analytics")],
      [1, started(1, "Analytics")],
      [2, verdict("failed", "none")],
      [3, verdict("failed", "none")],
      [4, verdict("passed", "none")],
      [5, verdict("passed", "blocked")],
      [6, verdict("passed", "accepted")],
      [7, accepted(1, "Analytics", 6)],
    );
    expect(liveLines(frame(view, { columns: 100 }))[1]).toMatch(/3 written {2}repaired 2 {2}refused 1 {2}tests \+6/);
  });

  it("has no cost where nothing can cost, nor has the header", () => {
    expect(liveLines(frame(midway())).join("\n")).toMatch(/\$0\.11/);
    expect(liveLines(frame(midway(), { isFree: true })).join("\n")).not.toContain("$");
  });
});
