/** Files by turns: where each was created, written, read, deleted. */
import { scaleLinear } from "d3-scale";
import { pluralize } from "../../../lib/core/text/format.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { type Chart, type ChartData, USUAL_WIDTH } from "./chart.ts";
import { beginnings, columnsOf } from "./columns.ts";
import { fileRows } from "./file-rows.ts";
import { type Cell, cellBox, cellsOf, drawnCell, TOUCHES, type Touch, touchesOf } from "./file-touches.ts";
import { drawing, RIGHT } from "./frame.ts";
import { AXIS_HEIGHT, instructionAxis } from "./instruction-axis.ts";
import { LANE_COLUMNS, laneCells } from "./lane-cells.ts";
import { type Kind, legend, strokes, strokesOf } from "./marks.ts";
import { namesRoom, ROW, rowNames, rowRules } from "./row-names.ts";

const KINDS: Record<Touch, Kind> = {
  created: { colour: "green", shape: "full" },
  deleted: { colour: "red", shape: "crossed" },
  written: { colour: "orange", shape: "half" },
  read: { colour: "blue", shape: "thin" },
};

/** Narrower columns are invisible; more cells are slow to draw. */
const COLUMN = 4;
const CELLS = 3_000;

export const heatMap: Chart = {
  name: "files",
  title: "Files by turns",
  description:
    "When each file was created, written, read and deleted. If turns or files share a cell, it shows the first of these in the order of the legend. Many files are grouped by folder, with their number.",
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
    return drawing({ ...heatMap, summary: summaryOf(history, paths.length), width, height: bottom + AXIS_HEIGHT }, [
      ...key.drawn,
      ...rowNames(names, { left, top, class: "path" }),
      rowRules(rows.length, { left, right: width - RIGHT, top }),
      ...instructionAxis({ begins: beginnings(columns), columns: columns.length, x, top, bottom, title, twice }),
      ...placed.map((cell) => drawnCell(cell, { name: names[cell.row] ?? "", column: columns[cell.column] })),
      strokes("red", placed.map(({ kind, box }) => strokesOf(kind.shape, box)).join("")),
    ]);
  },
  rows: ({ turns }) => [
    ["instruction", "turn", "path", "touch", ...LANE_COLUMNS],
    ...turns.flatMap((turn) =>
      touchesOf(turn).map(([path, touch]) => [turn.instruction, turn.turn, path, touch, ...laneCells(turn)]),
    ),
  ],
};

/** With more rows, the axis is repeated at the top. */
const FAR = 30;

interface CellInput {
  turns: TurnRecord[];
  touched: [path: string, touch: Touch][][];
  rows: { paths: string[] }[];
  most: number;
}

/** As many columns as fit, with at most CELLS marks. */
function fitted({ turns, touched, rows, most }: CellInput) {
  const rowOf = new Map(rows.flatMap(({ paths }, row) => paths.map((path) => [path, row] as const)));
  for (let wanted = most; ; ) {
    const columns = columnsOf(turns, wanted);
    const cells: Cell[] = cellsOf(columns, touched, rowOf);
    if (cells.length <= CELLS || columns.length <= 1) return { columns, cells };
    wanted = columns.length * Math.min(0.9, CELLS / cells.length);
  }
}

const summaryOf = ({ turns }: ChartData, files: number): string =>
  `${pluralize(files, "file")} in ${pluralize(turns.length, "turn")}.`;
