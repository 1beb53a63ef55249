/** Tests over time: passed and failed, one on the other. */
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
  const first = points.findIndex(({ isKnown }) => isKnown);
  // Once tests were run, each point has their last counts.
  const known = points.slice(first);
  const at = (value: number): string => y(value).toFixed(1);
  const edgeOf = (index: number): string => x(first + index).toFixed(1);
  const along = (values: number[]): string =>
    `M${edgeOf(0)},${at(values[0] ?? 0)}${values.map((value, index) => `V${at(value)}H${edgeOf(index + 1)}`).join("")}`;
  const back = (values: number[]): string =>
    `${values
      .map((value, index) => `V${at(value)}H${edgeOf(index)}`)
      .toReversed()
      .join("")}z`;
  const passed = known.map((point) => point.passed);
  const all = known.map((point) => point.passed + point.failed);
  return [
    element("path", { class: "green light", d: along(passed) + back(known.map(() => 0)) }),
    element("path", { class: "red", d: along(all) + back(passed) }),
    element("path", { class: "edge", d: along(passed) }),
  ];
}
