/** Errors over time: what the syntax checks of each turn found. */

import { carryForward } from "../core/run/history.ts";
import { pluralize } from "../core/text/format.ts";
import { bars, columnsFor, framed, overColumns } from "./frame.ts";
import { type ChartData, type Picture, USUAL_WIDTH } from "./picture.ts";
import { element } from "./svg.ts";

const errorsOf = ({ turns }: ChartData) => carryForward(turns.map(({ found }) => found?.errors));

export const errors: Picture = {
  name: "errors",
  title: "Errors over time",
  says: "What the checks of syntax (of a book: of its text) found, turn by turn. Between two checks nothing new is known, and the last count stands; a dot is a check that found none.",
  absent: "No check has looked for errors.",
  svg(history, width = USUAL_WIDTH) {
    const all = errorsOf(history);
    const last = all.at(-1);
    if (last === undefined) return undefined;
    const columns = columnsFor(history, width);
    const shown = columns.map(({ turns, from, to }) => {
      const checked = turns.flatMap(({ found }) => found?.errors ?? []);
      return { isChecked: checked.length > 0, count: Math.max(0, ...all.slice(from, to).map((count) => count ?? 0)) };
    });
    const isBook = history.run.options.domain === "book";
    const tells = `At most ${pluralize(Math.max(...shown.map(({ count }) => count)), "error")}, ${last} at the last check.`;
    return framed({
      ...{
        title: errors.title,
        tells,
        width,
        columns,
        unit: isBook ? "findings in the text" : "syntax errors",
        several: "the most of them",
      },
      most: Math.max(...shown.map(({ count }) => count)),
      marks: [
        { as: { colour: "red", shape: "full" }, label: "found by a check" },
        { as: { colour: "pale", shape: "full" }, label: "last count, not checked again" },
        { as: { colour: "green", shape: "thin" }, label: "checked, none found" },
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
      ["instruction", "turn", "errors", "checked"],
      ...history.turns.map(({ instruction, turn, found }, index) => [
        ...[instruction, turn, all[index] ?? ""],
        found?.errors === undefined ? "no" : "yes",
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
