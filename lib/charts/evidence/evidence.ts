/** Which requirement was proven in which instruction, lost again, kept and waived, and how it ended. */
import { scaleLinear } from "d3-scale";
import { pluralize } from "../../core/text/format.ts";
import { type Chart, type ChartData, USUAL_WIDTH } from "../chart.ts";
import { endLeftOut } from "../fit.ts";
import { drawing, RIGHT } from "../frame.ts";
import { AXIS_HEIGHT, instructionAxis } from "../instruction-axis.ts";
import { classOf, filledOf, type Kind, legend, strokes, strokesOf } from "../marks.ts";
import { rowsOf } from "../requirement-coverage.ts";
import { boxOf } from "../requirements.ts";
import { namesRoom, ROW, rowNames, rowRules } from "../row-names.ts";
import { element, hint } from "../svg.ts";
import { cellsOf, MOMENTS, type Moment, momentsOf } from "./moments.ts";

const KINDS: Record<Moment, Kind> = {
  "red again": { colour: "red", shape: "crossed" },
  "not proven": { colour: "red", shape: "hollow" },
  "noted, no proof": { colour: "pale", shape: "hollow" },
  waived: { colour: "quiet", shape: "struck" },
  "proven at E1": { colour: "sky", shape: "full" },
  kept: { colour: "blue", shape: "thin" },
  proven: { colour: "green", shape: "full" },
};

/** Thinner ones are not seen; more rows hold several requirements each. */
const COLUMN = 6;
const ROWS = 100;
/** With more rows, the axis is repeated at the top. */
const FAR = 30;

export const evidence: Chart = {
  name: "evidence",
  title: "Evidence by instructions",
  description:
    "When each requirement was proven: its check was red before the instruction and green after it. The last column is how it ended. If several share a cell, it shows the first of these in the order of the legend.",
  absent: "The run asks for no evidence, or has gathered none.",
  svg(history, width = USUAL_WIDTH) {
    const { rows, moments } = provenIn(history);
    const count = history.program.instructions.length;
    if (moments.length === 0 || count === 0) return undefined;
    const each = Math.ceil(count / Math.max(1, Math.floor((width * 0.6) / COLUMN) - 1));
    const eachRow = Math.ceil(rows.length / ROWS);
    const rowOf = new Map(rows.map(({ id }, index) => [id, Math.floor(index / eachRow)]));
    const columns = Math.ceil(count / each) + 1;
    const names = rowsOf(rows, eachRow, new Set()).map(({ name }) => name);
    const left = namesRoom(names, width);
    const cells = cellsOf(moments, ({ requirement, instruction = Number.POSITIVE_INFINITY }) => ({
      row: rowOf.get(requirement) ?? 0,
      column: Math.min(columns - 1, Math.floor((instruction - 1) / each)),
    }));
    const key = legend(
      MOMENTS.filter((moment) => cells.some((cell) => cell.moment === moment)).map((label) => ({
        label,
        as: KINDS[label],
      })),
      width,
    );
    const twice = names.length > FAR;
    const top = key.height + (twice ? 24 : 8);
    const bottom = top + names.length * ROW;
    const x = scaleLinear([0, columns], [left, width - RIGHT]);
    const begins = history.program.instructions.map((_, index) => ({ at: index / each, instruction: index + 1 }));
    const title = `instruction${each === 1 ? "" : `; a column is ${each} of them`}; then the end`;
    const placed = cells.map((cell) => ({ ...cell, kind: KINDS[cell.moment], box: boxOf(cell, { x, top }) }));
    const crosses = (colour: Kind["colour"]): string =>
      placed.map(({ kind, box }) => (kind.colour === colour ? strokesOf(kind.shape, box) : "")).join("");
    return drawing({ ...evidence, summary: summaryOf(history), width, height: bottom + AXIS_HEIGHT }, [
      ...key.drawn,
      ...rowNames(names, { left, top, shortened: endLeftOut }),
      rowRules(names.length, { left, right: width - RIGHT, top }),
      element("rect", { class: "band", x: x(columns - 1), y: top, width: x(1) - x(0), height: bottom - top }),
      ...instructionAxis({ begins, columns: columns - 1, x, top, bottom, title, twice }),
      ...placed.map(({ kind, box, row, at, description }) =>
        element(
          "rect",
          { class: classOf(kind), ...filledOf(kind.shape, box), "data-at": at, "data-row": row },
          hint(description),
        ),
      ),
      ...(["red", "quiet"] as const).map((colour) => strokes(colour, crosses(colour))),
    ]);
  },
  rows: (history) => [
    ["requirement", "instruction", "moment", "why"],
    ...provenIn(history).moments.map(({ requirement, instruction = "", moment, why }) => [
      ...[requirement, instruction, moment, why],
    ]),
  ],
};

/** Up to the last of the turns: how it ended is known after all of them. */
function provenIn({ evidence: rows = [], run, turns }: ChartData) {
  const seen = new Set(turns.map(({ instruction }) => instruction));
  const moments = rows
    .flatMap((row) => momentsOf(row, run.proven !== undefined))
    .filter(({ instruction }) => (instruction === undefined ? turns.length >= run.turns : seen.has(instruction)));
  return { rows, moments };
}

function summaryOf({ evidence: rows = [] }: ChartData): string {
  const proven = rows.filter(({ state }) => state === "proven").length;
  return `${proven} of ${pluralize(rows.length, "requirement")} proven.`;
}
