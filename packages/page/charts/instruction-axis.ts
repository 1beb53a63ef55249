/** The axis below a chart: where instructions begin, as light rules, with as many numbers as there is room for. Pure. */
import type { AxisStart } from "./columns.ts";
import { endLeftOut, widthOf } from "./fit.ts";
import { element, text } from "./svg.ts";

export interface Axis {
  begins: AxisStart[];
  /** How many columns there are. */
  columns: number;
  /** Of a column's left edge. */
  x: (column: number) => number;
  top: number;
  bottom: number;
  title: string;
  /** Also above the plot, for tall charts. */
  twice?: boolean;
}

/** Needs so much below the plot. */
export const AXIS_HEIGHT = 40;
/** Of a number and what keeps it from the next. */
const LABEL = 34;
/** Rules that are nearer to each other than this are no help. */
const RULES_APART = 5;

export function instructionAxis(axis: Axis): string[] {
  const { begins, columns, x, top, bottom, title, twice } = axis;
  const [left, right] = [x(0), x(columns)];
  const step = stepFor(begins.length, (right - left) / LABEL);
  const named = begins.filter(({ instruction }) => instruction === 0 || instruction % step === 0);
  const ruled = begins.length * RULES_APART <= right - left ? begins : named;
  const rules = ruled.map(({ at }) => `M${x(at).toFixed(1)} ${top}V${bottom + 4}`).join("");
  const labels = labelsOf(named, { ...axis, isEach: step === 1 });
  return [
    element("path", { class: "rule", d: rules }),
    ...labels.map(({ at, label }) => element("text", { x: at, y: bottom + 17 }, text(label))),
    ...(twice ? labels.map(({ at, label }) => element("text", { x: at, y: top - 5 }, text(label))) : []),
    element(
      "text",
      { x: right, y: bottom + 34, "text-anchor": "end" },
      text(endLeftOut(title, Math.floor(right / 6.5))),
    ),
  ];
}

/** Every one, or every second, fifth, tenth and so on: a round number. */
function stepFor(count: number, room: number): number {
  for (let ten = 1; ; ten *= 10)
    for (const step of [ten, 2 * ten, 5 * ten]) if (count / step <= Math.max(1, room)) return step;
}

interface Labelled extends Axis {
  /** Every instruction is numbered: the numbers are centred. */
  isEach: boolean;
}

function labelsOf(named: AxisStart[], { x, columns, isEach }: Labelled): { at: number; label: string }[] {
  let free = x(0) - LABEL;
  return named.flatMap(({ at, instruction }, index) => {
    const label = instruction === 0 ? "plan" : String(instruction);
    const wide = widthOf(label);
    const next = named[index + 1]?.at ?? columns;
    const from = isEach ? (x(at) + x(next) - wide) / 2 : x(at) + 1;
    if (from < free || from + wide > x(columns) + 12) return [];
    free = from + wide + 4;
    return [{ at: from, label }];
  });
}
