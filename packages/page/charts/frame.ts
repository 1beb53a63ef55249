/** What charts over turns have in common: the axes, where instructions begin, the legend. */
import { type ScaleLinear, scaleLinear } from "d3-scale";
import type { ChartData } from "./chart.ts";
import { beginnings, type Column, columnsOf, leadsTo, placeOf } from "./columns.ts";
import { widthOf } from "./fit.ts";
import { AXIS_HEIGHT, instructionAxis } from "./instruction-axis.ts";
import { legend, type Mark } from "./marks.ts";
import { element, hint, text } from "./svg.ts";

const PLOT = 180;
/** Of what the values are, above the highest of them. */
const UNIT = 32;
export const RIGHT = 14;
const TICKS = 4;
/** Thinner columns are not seen. */
const COLUMN = 2;

export interface Scales {
  /** Of a column's left edge. */
  x: ScaleLinear<number, number>;
  y: ScaleLinear<number, number>;
  columns: Column[];
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Frame {
  title: string;
  /** For readers who cannot see the chart. */
  summary: string;
  width: number;
  columns: Column[];
  /** The highest value that is drawn. */
  most: number;
  /** What the values are. */
  unit: string;
  /** What a column of several turns shows. */
  several: string;
  marks: Mark[];
  body: (scales: Scales) => string[];
}

/** As many columns as there is room for beside the numbers of an axis. */
export const columnsFor = ({ turns }: Pick<ChartData, "turns">, width: number): Column[] =>
  columnsOf(turns, (width - 70) / COLUMN);

export function framed(frame: Frame): string {
  const { width, columns, unit, marks, body } = frame;
  const key = legend(marks, width);
  const top = key.height + UNIT;
  const bottom = top + PLOT;
  const { y, ticks } = levels(frame, [bottom, top]);
  const left = Math.max(28, ...ticks.map(({ label }) => widthOf(label) + 8));
  const right = width - RIGHT;
  const x = scaleLinear([0, Math.max(1, columns.length)], [left, right]);
  const axis = { begins: beginnings(columns), columns: columns.length, x, top, bottom, title: axisTitle(frame) };
  return drawing({ ...frame, height: bottom + AXIS_HEIGHT }, [
    ...key.drawn,
    element("text", { x: 0, y: key.height + 15 }, text(unit)),
    ...ticks.map(({ at, label }) => level(label, { at, left, right })),
    ...instructionAxis(axis),
    ...body({ x, y, columns, left, right, top, bottom }),
  ]);
}

/** There is nothing between two whole numbers. */
function levels({ most }: Frame, range: [number, number]) {
  const y = scaleLinear([0, Math.max(1, most)], range).nice(TICKS);
  const values = y.ticks(TICKS).filter(Number.isInteger);
  return { y, ticks: values.map((value) => ({ at: y(value), label: countWords(value) })) };
}

/** `500`, `20k`, `1.5M`. */
export const countWords = (value: number): string =>
  value >= 1e6
    ? `${Number((value / 1e6).toFixed(2))}M`
    : value >= 1e4
      ? `${Number((value / 1e3).toFixed(1))}k`
      : `${value}`;

const axisTitle = ({ columns, several }: Frame): string => {
  const each = columns[0]?.turns.length ?? 1;
  return each === 1 ? "instruction, turn by turn" : `instruction; a column is ${each} turns: ${several}`;
};

const level = (label: string, { at, left, right }: { at: number; left: number; right: number }): string =>
  element("path", { class: "grid", d: `M${left} ${at.toFixed(1)}H${right}` }) +
  element("text", { x: left - 6, y: at + 4, "text-anchor": "end" }, text(label));

interface DrawingSize {
  title: string;
  summary: string;
  width: number;
  height: number;
}

export const drawing = ({ title, summary, width, height }: DrawingSize, children: string[]): string =>
  element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: "l2mac-chart",
      viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`,
      role: "img",
      "aria-label": `${title}. ${summary}`,
    },
    element("title", {}, text(title)),
    element("desc", {}, text(summary)),
    ...children,
  );

/** Invisible, over each column: its tooltip and its link. */
export const overColumns = ({ x, top, bottom, columns }: Scales, describe: (index: number) => string): string[] =>
  columns.map((column, index) =>
    element(
      "rect",
      {
        class: "over",
        x: x(index),
        y: top,
        width: x(1) - x(0),
        height: bottom - top,
        ...leadsTo(column),
      },
      hint(`${placeOf(column)}: ${describe(index)}`),
    ),
  );

/** Bars of one colour, as one shape. */
export function bars(colour: string, spans: [from: number, to: number][], { x, y }: Scales): string {
  const wide = x(1) - x(0);
  const gap = wide > 4 ? 1 : 0;
  const path = spans
    .flatMap(([from, to], index) =>
      to > from
        ? [
            `M${tenths(x(index) + gap / 2)} ${tenths(y(from))}h${tenths(wide - gap)}V${tenths(y(to))}h${tenths(gap - wide)}z`,
          ]
        : [],
    )
    .join("");
  return path === "" ? "" : element("path", { class: colour, d: path });
}

const tenths = (value: number): string => String(Math.round(value * 10) / 10);
