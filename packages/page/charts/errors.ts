/** Errors over time: what the syntax checks of each turn found. */
import { pluralize } from "../../../lib/core/text/format.ts";
import { type Chart, type ChartData, USUAL_WIDTH } from "./chart.ts";
import { bars, columnsFor, framed, overColumns } from "./frame.ts";
import { countedInTurns, LANE_COLUMNS, laneCells } from "./lane-cells.ts";
import { element } from "./svg.ts";

const errorsOf = ({ turns }: ChartData) => countedInTurns(turns, ({ found }) => found?.errors);

export const errors: Chart = {
  name: "errors",
  title: "Errors over time",
  description:
    "Errors found by the checks of syntax, or of the text of a book, turn by turn. Between checks the last count is repeated; a dot is a check without errors.",
  absent: "No check has run.",
  svg(history, width = USUAL_WIDTH) {
    const all = errorsOf(history);
    const last = all.at(-1);
    if (last === undefined) return undefined;
    const columns = columnsFor(history, width);
    const shown = columns.map(({ turns, from, to }) => {
      const checked = turns.flatMap(({ found }) => found?.errors ?? []);
      return { isChecked: checked.length > 0, count: Math.max(0, ...all.slice(from, to).map((count) => count ?? 0)) };
    });
    const summary = `At most ${pluralize(Math.max(...shown.map(({ count }) => count)), "error")}, ${last} at the last check.`;
    return framed({
      ...{
        title: errors.title,
        summary,
        width,
        columns,
        unit: "errors",
        several: "the most of them",
      },
      most: Math.max(...shown.map(({ count }) => count)),
      marks: [
        { as: { colour: "red", shape: "full" }, label: "found by a check" },
        { as: { colour: "pale", shape: "full" }, label: "last count, not checked here" },
        { as: { colour: "green", shape: "thin" }, label: "checked, no errors" },
      ],
      body: (scales) => [
        bars(
          "pale",
          shown.map(({ isChecked, count }) => [0, isChecked ? 0 : count]),
          scales,
        ),
        bars(
          "red",
          shown.map(({ isChecked, count }) => [0, isChecked ? count : 0]),
          scales,
        ),
        element("path", { class: "green", d: shown.map(noneFound(scales)).join("") }),
        ...overColumns(scales, (index) => {
          const { isChecked, count } = shown[index] ?? { isChecked: false, count: 0 };
          return `${pluralize(count, "error")}${isChecked ? "" : ", not checked here"}`;
        }),
      ],
    });
  },
  rows: (history) => {
    const all = errorsOf(history);
    return [
      ["instruction", "turn", "errors", "checked", ...LANE_COLUMNS],
      ...history.turns.map(({ instruction, turn, found, ...of }, index) => [
        ...[instruction, turn, all[index] ?? ""],
        ...[found?.errors === undefined ? "no" : "yes", ...laneCells(of)],
      ]),
    ];
  },
};

const noneFound =
  ({ x, y }: { x: (at: number) => number; y: (value: number) => number }) =>
  ({ isChecked, count }: { isChecked: boolean; count: number }, index: number): string => {
    if (!isChecked || count > 0) return "";
    const wide = Math.min(6, x(1) - x(0));
    return `M${((x(index) + x(index + 1) - wide) / 2).toFixed(1)} ${y(0) - 3}h${wide.toFixed(1)}v3h${(-wide).toFixed(1)}z`;
  };
