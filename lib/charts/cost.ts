/** What the run has cost so far, its ceiling, and where it would end at the pace of its accepted instructions. */
import { line } from "d3-shape";
import { MICRO } from "../core/run/budget.ts";
import { runningTotals } from "../core/run/history.ts";
import { type Chart, USUAL_WIDTH } from "./chart.ts";
import { columnsFor, framed, overColumns, type Scales } from "./frame.ts";
import { LANE_COLUMNS, laneCells } from "./lane-cells.ts";
import type { Mark } from "./marks.ts";
import { type Projection, projectionOf } from "./projection.ts";
import { element, text } from "./svg.ts";

/** Beside what was spent, as a share of it. */
const AHEAD = 0.3;

export const cost: Chart = {
  name: "cost",
  title: "Cost",
  description:
    "Total cost in US dollars, with the ceiling of the run. The projection assumes that the remaining instructions cost as much as the average of the finished ones; it needs two finished instructions and is not shown after the run has ended.",
  absent: "Nothing was spent: there were no calls yet, or the model costs nothing, or its price is not known.",
  svg(history, width = USUAL_WIDTH) {
    const { run, turns } = history;
    const sums = runningTotals(turns.map(({ microUsd }) => microUsd));
    const total = sums.at(-1) ?? 0;
    if (total === 0) return undefined;
    const columns = columnsFor(history, width);
    const points = [0, ...columns.map(({ to }) => sums[to - 1] ?? 0)];
    const ceiling = run.options.budget.usd === undefined ? undefined : run.options.budget.usd * MICRO;
    const projected = projectionOf(history);
    const drawn = Math.max(total, projected?.microUsd ?? 0);
    const isNear = ceiling !== undefined && ceiling <= FAR * drawn;
    return framed({
      title: cost.title,
      summary: summaryOf(total, ceiling, projected),
      width,
      columns,
      unit: "US dollars",
      several: "the sum at its end",
      whole: false,
      format: dollars,
      ahead: projected ? AHEAD : 0,
      most: (isNear ? Math.max(drawn, ceiling) : drawn) / MICRO,
      marks: marksOf({ total, ceiling, projected, isNear }),
      body: (scales) => [
        ...(projected ? guess(total, projected, scales) : []),
        element("path", { class: "stroke", d: spentLine(points, scales) }),
        ...(isNear ? [ceilingLine(ceiling, scales)] : []),
        ...overColumns(scales, (index) => `${exactly(points[index + 1] ?? 0)} so far`),
      ],
    });
  },
  rows: (history) => {
    const { run, turns } = history;
    const sums = runningTotals(turns.map(({ microUsd }) => microUsd));
    const ceiling = run.options.budget.usd ?? "";
    const projected = projectionOf(history);
    return [
      ["what", "instruction", "turn", "usd", "usd_so_far", "ceiling_usd", ...LANE_COLUMNS],
      ...turns.map(({ instruction, turn, microUsd, ...of }, index) => [
        ...["spent", instruction, turn],
        ...[microUsd / MICRO, (sums[index] ?? 0) / MICRO, ceiling, ...laneCells(of)],
      ]),
      ...(projected ? [["projection", "", "", "", Math.round(projected.microUsd) / MICRO, ceiling, "", ""]] : []),
    ];
  },
};

/** A ceiling so many times higher than what is drawn is said, and not drawn. */
const FAR = 4;

/** With enough decimals to tell the ticks apart. */
function dollars(usd: number, step: number): string {
  const places = Math.ceil(-Math.log10(step) - 1e-9);
  return `$${usd.toFixed(places <= 0 ? 0 : Math.min(6, Math.max(2, places)))}`;
}

/** To the cent, and below a dollar as far as it goes. */
const exactly = (microUsd: number): string =>
  microUsd < MICRO ? `$${(microUsd / MICRO).toFixed(6).replace(/0{1,4}$/, "")}` : `$${(microUsd / MICRO).toFixed(2)}`;

const briefly = (microUsd: number): string => exactly(microUsd < MICRO ? Math.round(microUsd / 100) * 100 : microUsd);

const summaryOf = (total: number, ceiling: number | undefined, projected: Projection | undefined): string =>
  `${briefly(total)} spent${ceiling === undefined ? "" : ` of at most ${briefly(ceiling)}`}${projected ? `; projection ${briefly(projected.microUsd)}` : ""}.`;

interface Marked {
  total: number;
  ceiling: number | undefined;
  projected: Projection | undefined;
  isNear: boolean;
}

const marksOf = ({ total, ceiling, projected, isNear }: Marked): Mark[] => [
  { as: "stroke", label: `spent ${briefly(total)}` },
  ...(ceiling === undefined
    ? []
    : [{ as: "limit" as const, label: `ceiling ${briefly(ceiling)}${isNear ? "" : ", far above"}` }]),
  ...(projected
    ? [{ as: "guess" as const, label: `projection ${briefly(projected.microUsd)}: ${wordsOf(projected)}` }]
    : []),
];

const wordsOf = ({ left, each, done }: Projection): string =>
  `${done} done cost ${briefly(each)} each, ${left} ${left === 1 ? "is" : "are"} left`;

function spentLine(points: number[], { x, y }: Scales): string {
  const path = line<number>()
    .digits(1)
    .x((_, index) => x(index))
    .y((microUsd) => y(microUsd / MICRO));
  return path(points) ?? "";
}

const ceilingLine = (ceiling: number, { left, right, y }: Scales): string =>
  element("path", { class: "limit", d: `M${left} ${y(ceiling / MICRO).toFixed(1)}H${right}` });

/** To the right of all turns, where nothing has happened yet. */
function guess(total: number, { microUsd }: Projection, { x, y, columns, right, top, bottom }: Scales): string[] {
  const [from, low, high] = [x(columns.length), y(total / MICRO), y(microUsd / MICRO)];
  return [
    element("rect", { class: "band", x: from, y: top, width: right - from, height: bottom - top }),
    element("path", { class: "guess", d: `M${from.toFixed(1)} ${low.toFixed(1)}L${right} ${high.toFixed(1)}` }),
    element("text", { x: right - 4, y: bottom - 8, "text-anchor": "end" }, text("projection")),
  ];
}
