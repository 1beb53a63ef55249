/** Tests over time: passed and failed, one on the other. */
import { area, curveStepAfter } from "d3-shape";
import { columnsOf } from "./columns.ts";
import { framed, overColumns } from "./frame.ts";
import { carried } from "./known.ts";
import type { History, Picture } from "./picture.ts";
import { element } from "./svg.ts";

const passedOf = ({ turns }: History): number[] => carried(turns.map(({ found }) => found?.passed));
const failedOf = ({ turns }: History): number[] => carried(turns.map(({ found }) => found?.failed));

export const tests: Picture = {
  name: "tests",
  title: "Tests over time",
  says: "How many tests passed and how many did not when they were last run.",
  svg(history) {
    if (!history.turns.some(({ found }) => (found?.passed ?? 0) + (found?.failed ?? 0) > 0)) return undefined;
    const columns = columnsOf(history.turns);
    const [passed, failed] = [passedOf(history), failedOf(history)];
    const points = columns.map(({ to }) => ({ passed: passed[to - 1] ?? 0, failed: failed[to - 1] ?? 0 }));
    const closed = [...points, ...points.slice(-1)];
    return framed({
      title: "Tests over time",
      columns,
      most: Math.max(...points.map((point) => point.passed + point.failed)),
      marks: [
        { colour: "green", label: "passed" },
        { colour: "red", label: "failed" },
      ],
      body: (scales) => {
        const { x, y } = scales;
        const shape = area<{ passed: number; failed: number }>()
          .curve(curveStepAfter)
          .digits(1)
          .x((_, index) => x(index));
        const green = shape.y0(y(0)).y1((point) => y(point.passed))(closed);
        const red = shape.y0((point) => y(point.passed)).y1((point) => y(point.passed + point.failed))(closed);
        return [
          element("path", { class: "green", d: green ?? "" }),
          element("path", { class: "red", d: red ?? "" }),
          ...overColumns(columns, scales, (index) => {
            const point = points[index];
            return `${point?.passed ?? 0} passed, ${point?.failed ?? 0} failed`;
          }),
        ];
      },
    });
  },
  rows: (history) => {
    const [passed, failed] = [passedOf(history), failedOf(history)];
    return [
      ["instruction", "turn", "passed", "failed"],
      ...history.turns.map(({ instruction, turn }, index) => [
        instruction,
        turn,
        passed[index] ?? 0,
        failed[index] ?? 0,
      ]),
    ];
  },
};
