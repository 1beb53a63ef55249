/** Errors over time: what the syntax checks of each turn found. */
import { columnsOf, leadsTo, NO_COLUMN, placeOf } from "./columns.ts";
import { framed } from "./frame.ts";
import { carried } from "./known.ts";
import type { History, Picture } from "./picture.ts";
import { element, hint } from "./svg.ts";

const errorsOf = ({ turns }: History): number[] => carried(turns.map(({ found }) => found?.errors));

export const errors: Picture = {
  name: "errors",
  title: "Errors over time",
  says: "What the checks of syntax found, turn by turn. Between two checks nothing is known, and the last count stands.",
  svg(history) {
    const columns = columnsOf(history.turns);
    const all = errorsOf(history);
    if (!history.turns.some(({ found }) => found?.errors !== undefined)) return undefined;
    const counts = columns.map(({ from, to }) => Math.max(...all.slice(from, to)));
    return framed({
      title: "Errors over time",
      columns,
      most: Math.max(...counts),
      marks: [{ colour: "red", label: "syntax errors" }],
      body: ({ x, y }) =>
        counts.map((count, index) =>
          element(
            "rect",
            {
              ...{ class: "red", x: x(index), y: y(count), width: x(1) - x(0), height: y(0) - y(count) },
              ...leadsTo(columns[index] ?? NO_COLUMN),
            },
            hint(`${placeOf(columns[index] ?? NO_COLUMN)}: ${count}`),
          ),
        ),
    });
  },
  rows: (history) => {
    const all = errorsOf(history);
    return [
      ["instruction", "turn", "errors", "checked"],
      ...history.turns.map(({ instruction, turn, found }, index) => [
        instruction,
        turn,
        all[index] ?? 0,
        found?.errors === undefined ? "no" : "yes",
      ]),
    ];
  },
};
