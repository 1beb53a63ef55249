/** Files by turns: where each was created, written, read, deleted. */
import { scaleLinear } from "d3-scale";
import type { ToldTurn } from "../core/turn.ts";
import { type Column, columnsOf, placeOf } from "./columns.ts";
import { drawing, instructionLabels, legend, MARGIN, WIDTH } from "./frame.ts";
import type { History, Picture } from "./picture.ts";
import { element, hint, text } from "./svg.ts";

export type Touch = "created" | "written" | "deleted" | "read";

const ROW = 14;
const NAMES = 220;
/** A run with more files shows those that were touched most. */
const ROWS_MOST = 200;
const COLOUR: Record<Touch, string> = { created: "green", written: "orange", deleted: "red", read: "sky" };
/** Of several in one column, the first of these. */
const ORDER: Touch[] = ["created", "deleted", "written", "read"];

/** What a turn did to each path. */
export function touchesOf({ changes, read = [] }: Pick<ToldTurn, "changes" | "read">): Map<string, Touch> {
  const touches = new Map<string, Touch>(read.map((path) => [path, "read"]));
  for (const { path, sha256, was } of changes)
    touches.set(path, sha256 === null ? "deleted" : was === null ? "created" : "written");
  return touches;
}

export const heatMap: Picture = {
  name: "files",
  title: "Files by turns",
  says: "When each file was created, written, read and deleted.",
  svg({ turns }: History) {
    const paths = mostTouched(turns);
    if (paths.length === 0) return undefined;
    const rows = new Map(paths.map((path, row) => [path, row]));
    const columns = columnsOf(turns);
    const left = MARGIN.left + NAMES;
    const x = scaleLinear([0, columns.length], [left, WIDTH - MARGIN.right]);
    const height = MARGIN.top + paths.length * ROW + MARGIN.bottom;
    return drawing({ title: "Files by turns", height }, [
      ...legend(ORDER.map((touch) => ({ colour: COLOUR[touch], label: touch }))),
      ...paths.map((path, row) =>
        element("text", { x: 8, y: MARGIN.top + row * ROW + 11 }, hint(path), text(shortened(path))),
      ),
      ...columns.flatMap((column, at) => cells(column, { rows, left: x(at), width: x(1) - x(0) })),
      ...instructionLabels(columns, x, height),
    ]);
  },
  rows: ({ turns }) => [
    ["instruction", "turn", "path", "what"],
    ...turns.flatMap((turn) => [...touchesOf(turn)].map(([path, touch]) => [turn.instruction, turn.turn, path, touch])),
  ],
};

/** In the order in which they first came up. */
function mostTouched(turns: ToldTurn[]): string[] {
  const counts = new Map<string, number>();
  for (const turn of turns) for (const path of touchesOf(turn).keys()) counts.set(path, (counts.get(path) ?? 0) + 1);
  const kept = new Set(
    [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, ROWS_MOST)
      .map(([path]) => path),
  );
  return [...counts.keys()].filter((path) => kept.has(path));
}

function cells(
  column: Column,
  { rows, left, width }: { rows: Map<string, number>; left: number; width: number },
): string[] {
  const strongest = new Map<string, { touch: Touch; turn: ToldTurn }>();
  for (const turn of column.turns)
    for (const [path, touch] of touchesOf(turn)) {
      const standing = strongest.get(path);
      if (!standing || ORDER.indexOf(touch) < ORDER.indexOf(standing.touch)) strongest.set(path, { touch, turn });
    }
  return [...strongest].flatMap(([path, { touch, turn }]) => {
    const row = rows.get(path);
    if (row === undefined) return [];
    const y = MARGIN.top + row * ROW + 1;
    const size = { x: left, y, width: Math.max(1, width - 0.5), height: ROW - 2 };
    const leads = {
      "data-at": `${turn.instruction}.${turn.turn}`,
      "data-file": encodeURIComponent(path.toWellFormed()),
    };
    return [
      element("rect", { class: COLOUR[touch], ...size, ...leads }, hint(`${path}: ${touch} in ${placeOf(column)}`)),
    ];
  });
}

/** The end of a path says more than its beginning. */
const shortened = (path: string): string => (path.length > 40 ? `…${path.slice(-39)}` : path);
