/** What the run has cost so far, its ceiling, and where it would end at the pace of its accepted instructions. */
import { line } from "d3-shape";
import { MICRO } from "../core/budget.ts";
import { acceptedOf } from "../core/run.ts";
import { columnsOf } from "./columns.ts";
import { framed, MARGIN, overColumns, WIDTH } from "./frame.ts";
import type { History, Picture } from "./picture.ts";
import { element, text } from "./svg.ts";

const dollars = (usd: number): string => `$${usd < 1 ? usd.toFixed(3) : usd.toFixed(2)}`;

export const cost: Picture = {
  name: "cost",
  title: "Cost",
  says: "What all calls together have cost, in US dollars, with the run's ceiling. The dotted end is a projection: as if what is left cost as much for each instruction as what is done.",
  svg(history) {
    const { run, turns } = history;
    const sums = summed(turns.map(({ microUsd }) => microUsd / MICRO));
    const total = sums.at(-1) ?? 0;
    if (total === 0) return undefined;
    const columns = columnsOf(turns);
    const points = [0, ...columns.map(({ to }) => sums[to - 1] ?? 0)];
    const ceiling = run.options.budget.usd;
    const projected = projectionOf(history, total);
    const near = [total, projected ?? 0, ...(ceiling !== undefined && ceiling <= 4 * total ? [ceiling] : [])];
    const most = Math.max(...near);
    // Whole numbers make good labels: thousandths of a dollar.
    return framed({
      title: "Cost",
      columns,
      most: most * 1_000,
      format: (value) => dollars(value / 1_000),
      marks: [
        { colour: "blue", label: `spent ${dollars(total)}` },
        ...(ceiling === undefined ? [] : [{ colour: "red", label: `ceiling ${dollars(ceiling)}` }]),
        ...(projected === undefined ? [] : [{ colour: "none", label: `projection ${dollars(projected)}` }]),
      ],
      body: (scales) => {
        const { x, y } = scales;
        const path = line<number>()
          .digits(1)
          .x((_, index) => x(index))
          .y((usd) => y(usd * 1_000));
        const flat = (usd: number): string => `M${MARGIN.left} ${y(usd * 1_000).toFixed(1)}H${WIDTH - MARGIN.right}`;
        return [
          element("path", { class: "stroke", d: path(points) ?? "" }),
          ...(ceiling !== undefined && ceiling <= most ? [element("path", { class: "limit", d: flat(ceiling) })] : []),
          ...(projected === undefined
            ? []
            : [
                element("path", { class: "guess", d: flat(projected) }),
                element(
                  "text",
                  { x: WIDTH - MARGIN.right, y: y(projected * 1_000) - 5, "text-anchor": "end" },
                  text("projection for the whole program"),
                ),
              ]),
          ...overColumns(columns, scales, (index) => `${dollars(points[index + 1] ?? 0)} so far`),
        ];
      },
    });
  },
  rows: ({ turns }) => {
    const sums = summed(turns.map(({ microUsd }) => microUsd / MICRO));
    return [
      ["instruction", "turn", "usd", "usd so far"],
      ...turns.map(({ instruction, turn, microUsd }, index) => [
        instruction,
        turn,
        microUsd / MICRO,
        Number((sums[index] ?? 0).toFixed(6)),
      ]),
    ];
  },
};

function summed(values: number[]): number[] {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}

/** Undefined where nothing is accepted yet, or nothing is left. */
function projectionOf({ run, turns }: History, total: number): number | undefined {
  const accepted = acceptedOf(run);
  const left = run.instructions - accepted;
  if (accepted === 0 || left <= 0) return undefined;
  const done = turns.filter(({ instruction }) => instruction > 0 && instruction < run.pc);
  const each = done.reduce((sum, { microUsd }) => sum + microUsd, 0) / MICRO / accepted;
  return total + each * left;
}
