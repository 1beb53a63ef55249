/** The names beside the rows of a chart: next to what they name, and as long as there is room for. Pure. */
import { fixedWidthOf, lettersIn, middleLeftOut } from "./fit.ts";
import { element, hint, text } from "./svg.ts";

/** Of a row, in pixels. */
export const ROW = 17;
/** Names take no more than this share of a chart. */
const SHARE = 0.36;
const GAP = 8;

export const namesRoom = (names: string[], width: number): number =>
  Math.ceil(Math.min(width * SHARE, Math.max(...names.map(fixedWidthOf))) + GAP);

export interface NamesAt {
  /** Of the plot. */
  left: number;
  top: number;
  class?: string;
  shortened?: (name: string, letters: number) => string;
}

export const rowNames = (names: string[], { left, top, class: named, shortened = middleLeftOut }: NamesAt): string[] =>
  names.map((name, row) =>
    element(
      "text",
      { class: named, x: left - GAP, y: top + row * ROW + 12.5, "text-anchor": "end" },
      hint(name),
      text(shortened(name, lettersIn(left - GAP))),
    ),
  );

/** From the name to the last mark of its row is far. */
export const rowRules = (rows: number, { left, right, top }: { left: number; right: number; top: number }): string =>
  element("path", {
    class: "grid",
    d: Array.from({ length: rows + 1 }, (_, row) => `M${left} ${top + row * ROW}H${right}`).join(""),
  });
