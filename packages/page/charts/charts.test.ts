import { describe, expect, it } from "vitest";
import { aHistory, aProgram, aTurn, change } from "../../../test/doubles/histories.ts";
import { aRun } from "../../../test/doubles/runs.ts";
import type { Chart, ChartData } from "./chart.ts";
import { chartDataOf } from "./chart.ts";
import { chartFile } from "./chart-file.ts";
import { charts } from "./charts.ts";
import { errors } from "./errors.ts";
import { touchesOf } from "./file-touches.ts";
import { heatMap } from "./heat-map.ts";
import { requirements } from "./requirements.ts";
import { tests } from "./tests.ts";

const drawnOf = (chart: Chart, given: ChartData, width?: number): string => chart.svg(given, width) ?? "";
const hintsOf = (svg: string): string[] =>
  [...svg.matchAll(/<title>([^<]*)<\/title><\/rect>/g)].map(([, hint]) => hint ?? "");
const numberIn = (svg: string, pattern: RegExp): number => Number(svg.match(pattern)?.[1]);

describe("the chart of files", () => {
  const turns = [
    aTurn(1, 1, { changes: [change("a.ts"), change("src/b.ts")] }),
    aTurn(1, 2, { changes: [change("a.ts", "old")], read: ["src/b.ts"] }),
    aTurn(2, 1, { changes: [change("a.ts", "old", null)] }),
  ];

  it("summary what a turn created, wrote, deleted and read, the change before the look", () => {
    const changes = [change("a"), change("b", "old"), change("c", "old", null)];
    expect(touchesOf({ changes, read: ["a", "d"] })).toEqual([
      ["a", "created"],
      ["b", "written"],
      ["c", "deleted"],
      ["d", "read"],
    ]);
  });

  it("summary the four apart by their shape: full, half, thin, and a box with a cross", () => {
    const svg = drawnOf(heatMap, aHistory(turns));
    const heightOf = (colour: string) => numberIn(svg, new RegExp(`class="${colour}" [^>]*height="([\\d.]+)" data-at`));
    expect(["green", "orange", "blue"].map(heightOf)).toEqual([13, 6.5, 3]);
    expect(svg).toMatch(
      /class="red hollow"[^>]* data-at="2.1" data-row="0" data-file="a.ts"><title>a.ts: deleted in 2.1</,
    );
    // In the legend, and over the file.
    expect(svg.match(/class="red cross" d="M[^M"]+M[^M"]+"/g)).toHaveLength(2);
  });

  it("names each file beside the plot, a long path by both of its ends", () => {
    const path = "packages/one/source/components/deeply/nested/button.test.tsx";
    const svg = drawnOf(heatMap, aHistory([aTurn(1, 1, { changes: [change(path)] })]), 358);
    expect(svg).toMatch(/text-anchor="end"><title>packages\/[^<]*<\/title>packa…on.test.tsx</);
  });

  it("shows every file of thousands, folder by folder in at most 60 rows", () => {
    const many = Array.from({ length: 2_000 }, (_, index) =>
      aTurn(1, index + 1, { changes: [change(`src/part-${index % 20}/f${index}.ts`)] }),
    );
    const svg = drawnOf(heatMap, aHistory(many));
    expect(svg).toContain("src/part-7/ (100)");
    const created = hintsOf(svg).map((hint) => Number(hint.match(/(\d+) created/)?.[1] ?? 1));
    expect(created.reduce((sum, count) => sum + count, 0)).toBe(2_000);
    const flat = many.map((turn, index) => ({ ...turn, changes: [change(`f${index}.ts`)] }));
    expect(drawnOf(heatMap, aHistory(flat))).toContain("<title>f0.ts +33</title>");
    expect(drawnOf(heatMap, aHistory(flat)).match(/class="path"/g)?.length).toBeLessThanOrEqual(60);
  });
});

describe("the chart of errors", () => {
  it("distinguishes checked counts from repeated ones, and a check without errors from no check", () => {
    const given = aHistory([
      aTurn(1, 1),
      aTurn(1, 2, { found: { errors: 3 } }),
      aTurn(1, 3),
      aTurn(2, 1, { found: { errors: 0 } }),
    ]);
    expect(hintsOf(drawnOf(errors, given))).toEqual([
      "1.1: 0 errors, not checked here",
      "1.2: 3 errors",
      "1.3: 3 errors, not checked here",
      "2.1: 0 errors",
    ]);
    expect(errors.rows(given).slice(1)).toEqual([
      [1, 1, "", "no", "", ""],
      [1, 2, 3, "yes", "", ""],
      [1, 3, 3, "no", "", ""],
      [2, 1, 0, "yes", "", ""],
    ]);
  });
});

describe("the chart of tests", () => {
  it("stacks what failed upon what passed, holds the last count, and says nothing before the first", () => {
    const given = aHistory([
      aTurn(0, 1),
      aTurn(1, 1, { found: { passed: 3, failed: 2 } }),
      aTurn(1, 2),
      aTurn(2, 1, { found: { passed: 5, failed: 0 } }),
    ]);
    expect(tests.rows(given)).toEqual([
      ["instruction", "turn", "passed", "failed", "lane", "ahead"],
      [0, 1, "", "", "", ""],
      [1, 1, 3, 2, "", ""],
      [1, 2, 3, 2, "", ""],
      [2, 1, 5, 0, "", ""],
    ]);
    const svg = drawnOf(tests, given);
    expect(hintsOf(svg)).toEqual([
      "0.1: not run yet",
      "1.1: 3 passed, 2 failed",
      "1.2: 3 passed, 2 failed",
      "2.1: 5 passed, 0 failed",
    ]);
    const top = (pattern: RegExp): number => numberIn(svg, pattern);
    // What failed ends above where what passed ends.
    expect(top(/class="red" d="M[\d.]+,([\d.]+)/)).toBeLessThan(top(/class="green light" d="M[\d.]+,([\d.]+)/));
  });
});

describe("the chart of requirements", () => {
  const program = {
    instructions: [
      { title: "One", text: "x", requirements: ["R1"] },
      { title: "Two", text: "x", requirements: ["R1", "R2"], unchecked: ["tests: no_toolchain"] },
      { title: "Three", text: "x", requirements: ["R2"], status: "trapped" as const },
      { title: "Four", text: "x", requirements: ["R1"] },
    ],
    requirements: ["R1", "R2", "R3"].map((id) => ({ id, text: `${id} works` })),
  };
  const turns = [aTurn(1, 1, { outcome: "accepted" }), aTurn(2, 1, { outcome: "accepted" }), aTurn(3, 1)];
  const given = chartDataOf({ ...aHistory(turns), program });

  it("shows the state of each instruction, and requirements that no instruction serves", () => {
    expect(requirements.rows(given).map(([id, , number, , state]) => [id, number, state])).toEqual([
      ["requirement", "instruction", "state"],
      ["R1", 1, "accepted"],
      ["R1", 2, "unchecked"],
      ["R1", 4, "pending"],
      ["R2", 2, "unchecked"],
      ["R2", 3, "stuck"],
      ["R3", "", "no instruction"],
    ]);
    const svg = drawnOf(requirements, given);
    expect(svg).toContain("no instruction serves it");
    expect(svg).toContain("<title>R2 in 3: Three, stuck</title>");
  });

  it("shows the states at an earlier turn", () => {
    const then = requirements.rows(chartDataOf({ ...given, turns: turns.slice(0, 1) }));
    expect(then.map(([, , , , state]) => state)).toEqual([
      "state",
      "accepted",
      "pending",
      "pending",
      "pending",
      "pending",
      "no instruction",
    ]);
  });
});

describe("every chart", () => {
  const turns = [
    aTurn(0, 1),
    aTurn(1, 1, { changes: [change("a.ts")], found: { errors: 1, passed: 2, failed: 1 } }),
    aTurn(1, 2, { outcome: "accepted" }),
  ];
  const full = aHistory(turns);

  it.each(charts)("$name is as wide as the room it gets, and says to everybody what it is", ({ svg, title }) => {
    for (const width of [320, 590, 928]) expect(svg(full, width)).toContain(`viewBox="0 0 ${width} `);
    expect(svg(full)).toMatch(new RegExp(`aria-label="${title}\\. [^"]+"><title>${title}</title><desc>[^<]+</desc>`));
  });

  it.each(charts)("$name keeps its words within it, on a telephone too", ({ svg }) => {
    const drawn = svg(full, 320) ?? "";
    for (const [, x, rest = "", words = ""] of drawn.matchAll(
      /<text[^>]* x="([\d.]+)"([^>]*)>(?:<title>[^<]*<\/title>)?([^<]*)/g,
    )) {
      const wide = words.length * 6.2;
      const [from, to] = rest.includes("end") ? [Number(x) - wide, Number(x)] : [Number(x), Number(x) + wide];
      expect({ words, from: Math.min(0, Math.round(from)), to: Math.max(320, to) }).toEqual({
        words,
        from: 0,
        to: 320,
      });
    }
  });

  it.each(charts)("$name says why it is not there, where there is nothing to be drawn", ({ svg, absent, rows }) => {
    const nothing = chartDataOf({ run: aRun(), program: { instructions: [], requirements: [] }, turns: [] });
    expect(svg(nothing)).toBeUndefined();
    expect(absent).toMatch(/\.$/);
    expect(rows(nothing)).toHaveLength(1);
  });

  it.each(charts)("$name can be drawn of a run of one turn", ({ svg, rows }) => {
    const one = aHistory([aTurn(0, 1)]);
    expect(`${svg(one) ?? ""}${JSON.stringify(rows(one))}`).not.toMatch(/NaN|Infinity|undefined/);
  });

  it.each(charts)("$name stays small where a run is large", ({ svg }) => {
    const turns = Array.from({ length: 20_000 }, (_, index) =>
      aTurn(1 + Math.floor(index / 20), 1 + (index % 20), { changes: [change(`d${index % 70}/f${index % 2_000}`)] }),
    );
    expect((svg({ ...aHistory(turns), program: aProgram(1_000) }) ?? "").length).toBeLessThan(1_000_000);
  });

  it.each(charts)("$name speaks for itself as a file: what it is, of which run, in its own colours", (chart) => {
    const file = chartFile(chart, { ...full, run: { ...full.run, name: "tally", title: "Keep <a> tally" } }) ?? "";
    expect(file).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg [^>]*width="752" height="\d+" viewBox="-16 -\d+ 752 \d+"/,
    );
    expect(file).toMatch(new RegExp(`<text class="head"[^>]*>${chart.title}</text>`));
    expect(file).toMatch(/>Keep &lt;a&gt; tally · tally \(01TESTRUN\), test, 2026-01-01</);
    expect(file).not.toMatch(/var\(|data-at|data-file|data-row/);
  });
});
