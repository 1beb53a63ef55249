/** What the colours, shapes and lines of a picture mean, above it, in as many lines as it takes. Pure. */
import { widthOf } from "./fit.ts";
import { type Kind, swatch } from "./marks.ts";
import { element, text } from "./svg.ts";

export interface Mark {
  label: string;
  /** A mark, or a line by its class. */
  as: Kind | "stroke" | "limit" | "guess";
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
    return signOf(as, box) + element("text", { x: box.x + SIGN + 6, y: box.y + 10 }, text(label));
  });
  return { drawn, height: (line + 1) * LINE };
}

const signOf = (as: Mark["as"], box: { x: number; y: number; width: number; height: number }): string =>
  typeof as === "string" ? element("path", { class: as, d: `M${box.x} ${box.y + SIGN / 2}h${SIGN}` }) : swatch(as, box);
