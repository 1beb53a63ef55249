import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { aHistory, aProgram, aTurn, change } from "../../../test/doubles/histories.ts";
import type { Chart, ChartData, Row } from "./chart.ts";
import { charts } from "./charts.ts";
import { csv } from "./csv.ts";
import { errors } from "./errors.ts";
import { TOUCHES } from "./file-touches.ts";
import { heatMap } from "./heat-map.ts";
import { requirements } from "./requirements.ts";
import { tests } from "./tests.ts";

/** As RFC 4180 says that it is to be read. */
function read(text: string): string[][] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of cells) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

describe("a table of a chart", () => {
  it("cannot become a formula, nor break out of its cell", () => {
    const cells = ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", "＝1", 'say "hi",\nnow', "\u001b[2Jcleared"];
    const written = csv([cells, ["a", -2, 1.5]]);
    expect(read(written)).toEqual([
      ["'=1+1", "'+1", "'-1", "'@x", "'\t=1", "'\r=1", "'\n=1", "'＝1", 'say "hi",\nnow', "[2Jcleared"],
      ["a", "-2", "1.5"],
    ]);
    expect(written).toContain('"say ""hi"",\nnow"');
  });

  it("is read back as what was written, whatever it was", () => {
    const cell = fc.oneof(
      fc.string({ unit: "grapheme" }).filter((text) => /^[\t\n\r\x20-\x7e]*$/.test(text)),
      fc.integer(),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1 }), (rows: Row[]) => {
        const plain = rows.map((row) => row.map((value) => `${value}`));
        const back = read(csv(rows)).map((row, at) => row.map((text, place) => unguarded(text, plain[at]?.[place])));
        expect(back).toEqual(plain);
      }),
    );
  });

  it.each(charts)("of $name has a head that names each column, and as many cells in each row", ({ rows }) => {
    const [head = [], ...others] = rows(aHistory([aTurn(0, 1), aTurn(1, 1, { changes: [change("a")] })]));
    expect(head.every((name) => /^[a-z_]+$/.test(String(name)))).toBe(true);
    expect(new Set(others.map((row) => row.length))).toEqual(new Set(others.length > 0 ? [head.length] : []));
  });
});

const unguarded = (text: string, was: string | undefined): string => (text === `'${was}` ? text.slice(1) : text);

const count = fc.nat(50);
const path = fc.constantFrom("a.ts", "src/b.ts", "src/c/d.ts", "test/e & f.ts");
const someTurn = fc.record({
  found: fc.option(fc.record({ errors: count, passed: count, failed: count }, { requiredKeys: [] }), {
    nil: undefined,
  }),
  read: fc.uniqueArray(path),
  changes: fc.uniqueArray(fc.tuple(path, fc.constantFrom("created", "written", "deleted")), {
    selector: ([name]) => name,
  }),
  isAccepted: fc.boolean(),
});
type SomeTurn = typeof someTurn extends fc.Arbitrary<infer Value> ? Value : never;

const stateOf = { created: [null, "b"], written: ["a", "b"], deleted: ["a", null] } as const;

function turnsOf(some: SomeTurn[]): TurnRecord[] {
  let [instruction, turn] = [0, 0];
  return some.map(({ found, read: seen, changes, isAccepted }) => {
    turn += 1;
    const made = aTurn(instruction, turn, {
      read: seen,
      changes: changes.map(([name, what]) => change(name, ...stateOf[what as keyof typeof stateOf])),
      ...(found ? { found } : {}),
      outcome: isAccepted ? "accepted" : "tools",
    });
    if (isAccepted || instruction === 0) [instruction, turn] = [instruction + 1, 0];
    return made;
  });
}

const anyHistory = (most: number) =>
  fc
    .array(someTurn, { minLength: 1, maxLength: most })
    .map((some): ChartData => ({ ...aHistory(turnsOf(some)), program: aProgram(12) }));

/** What each shape of a chart says, in the order of the columns. */
const hintsOf = (chart: Chart, history: ChartData): string[] =>
  [...(chart.svg(history, 900) ?? "").matchAll(/<title>([^<]*)<\/title><\/rect>/g)].map(([, hint = ""]) =>
    hint.replaceAll("&amp;", "&"),
  );

/** Turn by turn, where the chart is drawn. */
const turnByTurn: [Chart, (row: Row) => string][] = [
  [
    errors,
    ([at, turn, found, checked]) =>
      `${at}.${turn}: ${found || 0} ${found === 1 ? "error" : "errors"}${checked === "yes" ? "" : ", not checked here"}`,
  ],
  [
    tests,
    ([at, turn, passed, failed]) =>
      `${at}.${turn}: ${passed === "" && failed === "" ? "not run yet" : `${passed || 0} passed, ${failed || 0} failed`}`,
  ],
];

describe("the numbers of a chart", () => {
  it.each(turnByTurn.map(([chart, says]) => ({ name: chart.name, chart, says })))(
    "of $name are those of its table, turn by turn",
    ({ chart, says }) => {
      fc.assert(
        fc.property(anyHistory(40), (history) => {
          if (!chart.svg(history)) return;
          const rows = chart.rows(history).slice(1);
          expect(hintsOf(chart, history)).toEqual(rows.map(says));
        }),
      );
    },
  );

  it("of files are those of their table, also where turns share a place", () => {
    fc.assert(
      fc.property(anyHistory(400), fc.integer({ min: 200, max: 900 }), (history, width) => {
        const hints = [...(heatMap.svg(history, width) ?? "").matchAll(/data-at[^>]*><title>([^<]*)</g)].map(
          ([, hint]) => hint ?? "",
        );
        const drawn = TOUCHES.map((touch) =>
          hints.reduce(
            (sum, hint) => sum + (hint.includes(` ${touch}`) ? Number(hint.match(`(\\d+) ${touch}`)?.[1] ?? 1) : 0),
            0,
          ),
        );
        const rows = heatMap.rows(history).slice(1);
        expect(drawn).toEqual(TOUCHES.map((touch) => rows.filter(([, , , what]) => what === touch).length));
      }),
      { numRuns: 40 },
    );
  });

  it("of requirements are those of their table", () => {
    fc.assert(
      fc.property(anyHistory(30), (history) => {
        const rows = requirements.rows(history).slice(1);
        expect(hintsOf(requirements, history)).toEqual(
          rows.map(([id, , at, title, state]) => `${id} in ${at}: ${title}, ${state}`),
        );
      }),
    );
  });
});
