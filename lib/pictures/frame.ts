/** What pictures over turns have in common: the axes, where instructions begin, the legend. */
import { type ScaleLinear, scaleLinear } from "d3-scale";
import { beginnings, type Column, leadsTo, placeOf } from "./columns.ts";
import { aloneStyle } from "./style.ts";
import { element, hint, text } from "./svg.ts";

export const WIDTH = 900;
const HEIGHT = 260;
export const MARGIN = { top: 34, right: 16, bottom: 34, left: 64 };
const LABELS = 24;
const TICKS = 4;

export interface Mark {
  colour: string;
  label: string;
}

export interface Scales {
  /** Of a column's left edge. */
  x: ScaleLinear<number, number>;
  y: ScaleLinear<number, number>;
  height: number;
}

export interface Frame {
  title: string;
  columns: Column[];
  /** The highest value that is drawn. */
  most: number;
  marks: Mark[];
  format?: (value: number) => string;
  body: (scales: Scales) => string[];
}

export function framed({ title, columns, most, marks, format = String, body }: Frame): string {
  const x = scaleLinear([0, Math.max(1, columns.length)], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([0, Math.max(1, most)], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(TICKS);
  return drawing({ title, height: HEIGHT }, [
    ...y
      .ticks(TICKS)
      .filter(Number.isInteger)
      .map((value) => level(y(value), format(value))),
    ...body({ x, y, height: HEIGHT }),
    ...instructionLabels(columns, x, HEIGHT),
    ...legend(marks),
  ]);
}

export const drawing = ({ title, height }: { title: string; height: number }, children: string[]): string =>
  element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: "l2mac-picture",
      viewBox: `0 0 ${WIDTH} ${Math.round(height)}`,
      role: "img",
      "aria-label": title,
    },
    element("title", {}, text(title)),
    ...children,
  );

/** With its own colours, as a file of its own. */
export const alone = (svg: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${svg.replace(/^<svg([^>]*)>/, `<svg$1><style>${aloneStyle()}</style>`)}\n`;

/** Nothing to be seen over each column of a picture without bars: it tells what is there, and leads to it. */
export const overColumns = (columns: Column[], { x, height }: Scales, says: (index: number) => string): string[] =>
  columns.map((column, index) =>
    element(
      "rect",
      {
        ...{ class: "over", x: x(index), y: MARGIN.top, width: x(1) - x(0) },
        ...{ height: height - MARGIN.top - MARGIN.bottom, ...leadsTo(column) },
      },
      hint(`${placeOf(column)}: ${says(index)}`),
    ),
  );

const level = (at: number, label: string): string =>
  element("path", { class: "grid", d: `M${MARGIN.left} ${at.toFixed(1)}H${WIDTH - MARGIN.right}` }) +
  element("text", { x: MARGIN.left - 8, y: at + 4, "text-anchor": "end" }, text(label));

export const instructionLabels = (columns: Column[], x: Scales["x"], height: number): string[] => [
  ...beginnings(columns, LABELS).map(({ at, label }) =>
    element("text", { x: x(at), y: height - 14, "text-anchor": "start" }, text(label)),
  ),
  element("text", { x: WIDTH - MARGIN.right, y: height - 2, "text-anchor": "end" }, "instruction"),
];

export function legend(marks: Mark[]): string[] {
  let x = MARGIN.left;
  return marks.map(({ colour, label }) => {
    const at = x;
    x += 26 + label.length * 6.6;
    return (
      element("rect", { class: colour, x: at, y: 10, width: 10, height: 10 }) +
      element("text", { x: at + 15, y: 19 }, text(label))
    );
  });
}
