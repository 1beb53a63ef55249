/** Files by turns: where each was created, written, read, deleted. */

import { scaleLinear } from "d3-scale";
import { pluralize } from "../core/text/format.ts";
import type { ToldTurn } from "../core/turn/turn.ts";
import { beginnings, columnsOf } from "./columns.ts";
import { fileRows } from "./file-rows.ts";
import { drawing, RIGHT } from "./frame.ts";
import { AXIS_HEIGHT, instructionAxis } from "./instruction-axis.ts";
import { legend } from "./legend.ts";
import { type Kind, strokes, strokesOf } from "./marks.ts";
import { type ChartData, type Picture, USUAL_WIDTH } from "./picture.ts";
import { namesRoom, ROW, rowNames, rowRules } from "./row-names.ts";
import { type Cell, cellBox, cellsOf, drawnCell } from "./touch-cells.ts";
import { TOUCHES, type Touch, touchesOf } from "./touches.ts";

const KINDS: Record<Touch, Kind> = {
  created: { colour: "green", shape: "full" },
  deleted: { colour: "red", shape: "crossed" },
  written: { colour: "orange", shape: "half" },
  read: { colour: "blue", shape: "thin" },
};

/** A narrower one is not seen; more of them than this are slow to draw, and no better to read. */
const COLUMN = 4;
const CELLS = 3_000;

export const heatMap: Picture = {
  name: "files",
  title: "Files by turns",
  says: "When each file was created, written, read and deleted. Where several turns or files share a place, the mark is the first of these in the order of the legend. Of very many files, a folder stands for its own, with their number beside it.",
  absent: "No file was touched.",
  svg(history, width = USUAL_WIDTH) {
    const touched = history.turns.map(touchesOf);
    const paths = [...new Set(touched.flatMap((touches) => touches.map(([path]) => path)))];
    if (paths.length === 0) return undefined;
    const rows = fileRows(paths);
    const names = rows.map(({ name }) => name);
    const left = namesRoom(names, width);
    const { columns, cells } = fitted({ turns: history.turns, touched, rows, most: (width - left - RIGHT) / COLUMN });
    const x = scaleLinear([0, columns.length], [left, width - RIGHT]);
    const key = legend(
      TOUCHES.map((touch) => ({ label: touch, as: KINDS[touch] })),
      width,
    );
    const twice = rows.length > FAR;
    const top = key.height + (twice ? 24 : 8);
    const bottom = top + rows.length * ROW;
    const each = columns[0]?.turns.length ?? 1;
    const title = each === 1 ? "instruction, turn by turn" : `instruction; a column is ${each} turns`;
    const placed = cells.map((cell) => ({ ...cell, kind: KINDS[cell.touch], box: cellBox(cell, { x, top }) }));
    return drawing({ ...heatMap, tells: tellsOf(history, paths.length), width, height: bottom + AXIS_HEIGHT }, [
      ...key.drawn,
      ...rowNames(names, { left, top, class: "path" }),
      rowRules(rows.length, { left, right: width - RIGHT, top }),
      ...instructionAxis({ begins: beginnings(columns), columns: columns.length, x, top, bottom, title, twice }),
      ...placed.map((cell) => drawnCell(cell, { name: names[cell.row] ?? "", column: columns[cell.column] })),
      strokes("red", placed.map(({ kind, box }) => strokesOf(kind.shape, box)).join("")),
    ]);
  },
  rows: ({ turns }) => [
    ["instruction", "turn", "path", "touch"],
    ...turns.flatMap((turn) => touchesOf(turn).map(([path, touch]) => [turn.instruction, turn.turn, path, touch])),
  ],
};

/** From here on the axis below is far away. */
const FAR = 30;

interface Asked {
  turns: ToldTurn[];
  touched: [path: string, touch: Touch][][];
  rows: { paths: string[] }[];
  most: number;
}

/** In as many columns as there is room for, and no more marks than a picture can hold. */
function fitted({ turns, touched, rows, most }: Asked) {
  const rowOf = new Map(rows.flatMap(({ paths }, row) => paths.map((path) => [path, row] as const)));
  for (let wanted = most; ; ) {
    const columns = columnsOf(turns, wanted);
    const cells: Cell[] = cellsOf(columns, touched, rowOf);
    if (cells.length <= CELLS || columns.length <= 1) return { columns, cells };
    wanted = columns.length * Math.min(0.9, CELLS / cells.length);
  }
}

const tellsOf = ({ turns }: ChartData, files: number): string =>
  `${pluralize(files, "file")} in ${pluralize(turns.length, "turn")}.`;
