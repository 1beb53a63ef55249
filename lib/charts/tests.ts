/** Tests over time: passed and failed, one on the other. */
import { area, curveStepAfter, line } from "d3-shape";
import { type Chart, type ChartData, USUAL_WIDTH } from "./chart.ts";
import { columnsFor, framed, overColumns, type Scales } from "./frame.ts";
import { countedInRun, LANE_COLUMNS, laneCells } from "./lane-cells.ts";
import { element } from "./svg.ts";

const passedOf = ({ turns }: ChartData) => countedInRun(turns, ({ found }) => found?.passed);
const failedOf = ({ turns }: ChartData) => countedInRun(turns, ({ found }) => found?.failed);

interface Counts {
  passed: number;
  failed: number;
  /** They were run at least once. */
  isKnown: boolean;
}

const NONE: Counts = { passed: 0, failed: 0, isKnown: false };

const countsOf = (passed: number | undefined, failed: number | undefined): Counts =>
  passed === undefined && failed === undefined ? NONE : { passed: passed ?? 0, failed: failed ?? 0, isKnown: true };

export const tests: Chart = {
  name: "tests",
  title: "Tests over time",
  description: "Tests that passed and, stacked above them, tests that failed, as of their last run.",
  absent: "No tests were run.",
  svg(history, width = USUAL_WIDTH) {
    const [passed, failed] = [passedOf(history), failedOf(history)];
    if (![...passed, ...failed].some((count = 0) => count > 0)) return undefined;
    const columns = columnsFor(history, width);
    const points = columns.map(({ to }) => countsOf(passed[to - 1], failed[to - 1]));
    const last = points.at(-1) ?? NONE;
    return framed({
      title: tests.title,
      summary: `At the end ${wordsOf(last)}.`,
      width,
      columns,
      unit: "tests",
      several: "as the last of them left it",
      most: Math.max(...points.map((point) => point.passed + point.failed)),
      marks: [
        { as: { colour: "green", shape: "half" }, label: `passed: ${last.passed} at the end` },
        { as: { colour: "red", shape: "full" }, label: `failed: ${last.failed} at the end` },
      ],
      body: (scales) => [...stacked(points, scales), ...overColumns(scales, (index) => wordsOf(points[index] ?? NONE))],
    });
  },
  rows: (history) => {
    const [passed, failed] = [passedOf(history), failedOf(history)];
    return [
      ["instruction", "turn", "passed", "failed", ...LANE_COLUMNS],
      ...history.turns.map(({ instruction, turn, ...of }, index) => [
        ...[instruction, turn],
        ...[passed[index] ?? "", failed[index] ?? "", ...laneCells(of)],
      ]),
    ];
  },
};

const wordsOf = ({ passed, failed, isKnown }: Counts): string =>
  isKnown ? `${passed} passed, ${failed} failed` : "not run yet";

/** What passed is light below a line, what failed is dark: they differ without their colours. */
function stacked(points: Counts[], { x, y }: Scales): string[] {
  const closed = [...points, ...points.slice(-1)];
  const isKnown = (point: Counts): boolean => point.isKnown;
  const place = (_: Counts, index: number): number => x(index);
  const shape = area<Counts>().curve(curveStepAfter).digits(1).defined(isKnown).x(place);
  const edge = line<Counts>().curve(curveStepAfter).digits(1).defined(isKnown).x(place);
  return [
    element("path", { class: "green light", d: shape.y0(y(0)).y1(({ passed }) => y(passed))(closed) ?? "" }),
    element("path", {
      class: "red",
      d: shape.y0(({ passed }) => y(passed)).y1(({ passed, failed }) => y(passed + failed))(closed) ?? "",
    }),
    element("path", { class: "edge", d: edge.y(({ passed }) => y(passed))(closed) ?? "" }),
  ];
}
