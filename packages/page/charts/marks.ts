/** Marks of charts, distinguishable by shape and colour, and the legend that explains them. Pure. */
import { widthOf } from "./fit.ts";
import { element, text } from "./svg.ts";

export type Shape = "full" | "half" | "thin" | "crossed" | "struck" | "hollow";

/** Colour and shape of a mark. */
export interface Kind {
  colour: "green" | "orange" | "red" | "blue" | "quiet" | "pale";
  shape: Shape;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What its rectangle has in common with others of its kind. */
export const classOf = ({ colour, shape }: Kind): string => (isHollow(shape) ? `${colour} hollow` : colour);

const isHollow = (shape: Shape): boolean => shape === "crossed" || shape === "struck" || shape === "hollow";

/** The part of the box that its rectangle fills. */
export function filledOf(shape: Shape, { x, y, width, height }: Box): Box {
  if (shape === "half") return { x, y: y + height / 2, width, height: height / 2 };
  if (shape === "thin") return { x, y: y + height / 2 - 1.5, width, height: 3 };
  return { x, y, width, height };
}

/** The lines of a cross; also over a box too narrow for one. */
export function strokesOf(shape: Shape, { x, y, width, height }: Box): string {
  if (shape !== "crossed" && shape !== "struck") return "";
  const [wide, middle] = [Math.max(width, CROSS), x + width / 2];
  const [left, right] = [middle - wide / 2, middle + wide / 2].map((at) => at.toFixed(1));
  const [top, bottom] = [y, y + height].map((at) => at.toFixed(1));
  const fall = `M${left} ${bottom}L${right} ${top}`;
  return shape === "struck" ? fall : `${fall}M${left} ${top}L${right} ${bottom}`;
}

const CROSS = 8;

/** All crosses of a colour are one shape, which no pointer meets. */
export const strokes = (colour: Kind["colour"], path: string): string =>
  path === "" ? "" : element("path", { class: `${colour} cross`, d: path });

function swatch(kind: Kind, box: Box): string {
  const drawn = element("rect", { class: classOf(kind), ...filledOf(kind.shape, box) });
  return drawn + strokes(kind.colour, strokesOf(kind.shape, box));
}

export interface Mark {
  label: string;
  as: Kind;
}

const LINE = 20;
const SIGN = 12;
const GAP = 16;

export function legend(marks: Mark[], width: number): { drawn: string[]; height: number } {
  let [x, line] = [0, 0];
  const drawn = marks.map(({ label, as }) => {
    const needs = SIGN + 6 + widthOf(label);
    if (x > 0 && x + needs > width) {
      x = 0;
      line += 1;
    }
    const box = { x: x + 1, y: line * LINE + 3, width: SIGN, height: SIGN };
    x += needs + GAP;
    return swatch(as, box) + element("text", { x: box.x + SIGN + 6, y: box.y + 10 }, text(label));
  });
  return { drawn, height: (line + 1) * LINE };
}
