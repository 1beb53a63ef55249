import { describe, expect, it } from "vitest";
import { aRun } from "../../test/doubles/runs.ts";
import type { Run } from "../core/run.ts";
import type { ToldTurn } from "../core/turn.ts";
import { columnsOf, placeOf } from "./columns.ts";
import { cost } from "./cost.ts";
import { csv } from "./csv.ts";
import { alone } from "./frame.ts";
import { heatMap, touchesOf } from "./heat-map.ts";
import type { History, Picture } from "./picture.ts";
import { pictures } from "./pictures.ts";
import { reportPage } from "./report-page.ts";
import { tests } from "./tests.ts";

const aTurn = (instruction: number, turn: number, over: Partial<ToldTurn> = {}): ToldTurn => ({
  instruction,
  turn,
  epoch: 1,
  attempt: 1,
  segment: 0,
  state: "committed",
  at: "2026-01-01T00:00:00.000Z",
  inputTokens: 1_000,
  cachedTokens: 400,
  outputTokens: 100,
  microUsd: 10_000,
  milliseconds: 1_000,
  changes: [],
  ...over,
});

const change = (path: string, was: string | null = null, sha256: string | null = "b") => ({
  path,
  was,
  sha256,
  bytes: 1,
});

const program: History["program"] = {
  instructions: [1, 2, 3, 4].map((number) => ({ title: `Part ${number}`, text: "Do it.", requirements: ["R1"] })),
  requirements: [{ id: "R1", text: "It works." }],
};

const history = (turns: ToldTurn[], run: Partial<Run> = {}): History => ({
  run: aRun({ instructions: 4, pc: 3, ...run }),
  program,
  turns,
});

const drawnOf = (picture: Picture, given: History): string => picture.svg(given) ?? "";

describe("the picture of files", () => {
  it("tells what a turn created, wrote, deleted and read, the change before the look", () => {
    const changes = [change("a"), change("b", "old"), change("c", "old", null)];
    expect([...touchesOf({ changes, read: ["a", "d"] })]).toEqual([
      ["a", "created"],
      ["d", "read"],
      ["b", "written"],
      ["c", "deleted"],
    ]);
  });

  it("shows the files that were touched most, in the order in which they came up", () => {
    const turns = Array.from({ length: 300 }, (_, index) => aTurn(1, index + 1, { changes: [change(`f${index}`)] }));
    turns.push(aTurn(1, 301, { read: ["f299"] }));
    const svg = drawnOf(heatMap, history(turns));
    expect(svg.match(/<rect class="green"/g)?.length).toBe(200 + 1);
    expect(svg).toContain("f299");
    expect(heatMap.rows(history(turns))).toHaveLength(302);
  });
});

describe("the picture of tests", () => {
  it("stacks what failed upon what passed, and holds the last count until the next run", () => {
    const given = history([
      aTurn(1, 1, { found: { passed: 3, failed: 2 } }),
      aTurn(1, 2),
      aTurn(2, 1, { found: { passed: 5 } }),
    ]);
    expect(tests.rows(given)).toEqual([
      ["instruction", "turn", "passed", "failed"],
      [1, 1, 3, 2],
      [1, 2, 3, 2],
      [2, 1, 5, 2],
    ]);
    expect(drawnOf(tests, given)).toContain('class="red"');
  });
});

describe("the picture of cost", () => {
  const turns = [aTurn(0, 1), aTurn(1, 1), aTurn(1, 2), aTurn(2, 1)];

  it("adds up, and draws the ceiling where it is near", () => {
    const svg = drawnOf(cost, history(turns, { options: { ...aRun().options, budget: { usd: 0.1 } } }));
    expect(svg).toContain("spent $0.040");
    expect(svg).toContain("ceiling $0.100");
    expect(svg).toContain('class="limit"');
    expect(drawnOf(cost, history(turns, { options: { ...aRun().options, budget: { usd: 50 } } }))).not.toContain(
      'class="limit"',
    );
  });

  it("projects what is left at the pace of what is accepted, and says that it does", () => {
    // Two of four instructions cost 0.03 together: the other two would as well.
    expect(drawnOf(cost, history(turns))).toContain("projection $0.070");
    expect(drawnOf(cost, history(turns, { pc: 5 }))).not.toContain("projection");
    expect(drawnOf(cost, history(turns, { pc: 1 }))).not.toContain("projection");
  });
});

describe("turns side by side", () => {
  it("share a column where there are more of them than pixels", () => {
    const turns = Array.from({ length: 20_000 }, (_, index) => aTurn(1 + Math.floor(index / 20), 1 + (index % 20)));
    const columns = columnsOf(turns);
    expect(columns).toHaveLength(1_000);
    expect(columns.flatMap((column) => column.turns)).toEqual(turns);
    expect(placeOf(columns[1] ?? { turns: [] })).toBe("2.1 to 2.20");
    for (const picture of pictures) expect(drawnOf(picture, history(turns)).length).toBeLessThan(1_000_000);
  });
});

describe("a table of a picture", () => {
  it("cannot become a formula, nor break out of its cell", () => {
    expect(
      csv([
        ["a", 1.5],
        ["=1+1", -2],
        ['say "hi",\nnow', "@x"],
      ]),
    ).toBe(`a,1.5\r\n'=1+1,-2\r\n"say ""hi"",\nnow",'@x\r\n`);
  });
});

describe("a report", () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u0007\u202e';
  const full = history(
    [
      aTurn(0, 1),
      aTurn(1, 1, { changes: [change(hostile)], read: [hostile], found: { errors: 1, passed: 1, failed: 1 } }),
    ],
    { title: hostile, name: "it", status: "failed", detail: hostile, unchecked: [hostile] },
  );
  full.program = {
    instructions: [{ title: hostile, text: "x", requirements: ["R1"] }],
    requirements: [{ id: "R1", text: hostile }],
  };

  it("shows what others wrote as text, in the page and in each picture", () => {
    for (const text of [reportPage(full), ...pictures.map((picture) => alone(drawnOf(picture, full)))]) {
      expect(text).not.toMatch(/<script|<img/);
      expect(text).not.toContain("\u0007");
      expect(text).not.toContain("\u202e");
    }
    expect(reportPage(full)).toContain("&lt;script&gt;");
  });

  it("needs nothing but itself, and lets nothing run", () => {
    const page = reportPage(full);
    expect(page).toContain("default-src &#39;none&#39;");
    expect(page.match(/https?:[^"]*/g)?.filter((address) => address !== "http://www.w3.org/2000/svg")).toEqual([]);
    expect(page).not.toMatch(/<(script|link|iframe|object)|url\(|@import/);
  });

  it("of a run that has only begun says that there is nothing to be drawn", () => {
    const page = reportPage({ run: aRun(), program: { instructions: [], requirements: [] }, turns: [] });
    expect(page.match(/There is nothing to be drawn/g)?.length).toBe(pictures.length);
  });
});
