/** The last lines of a terminal, redrawn in place: a frame is one write, and there is none where nothing changed. */
import { stripVTControlCharacters } from "node:util";
import { columnsOf } from "./columns.ts";

export interface Screen {
  draw(lines: string[]): void;
  /** Takes the lines away, so that others can be written where they were. */
  clear(): void;
  /** Gives the cursor back. The lines stay, and whatever is drawn next begins below them. */
  leave(): void;
}

const CSI = "\u001b[";
/** Terminals that know it show the frame at once; the others ignore it. */
const BEGIN = `${CSI}?2026h`;
const END = `${CSI}?2026l`;
const TO_LINE_END = `${CSI}K`;
const TO_SCREEN_END = `${CSI}J`;
const HIDE_CURSOR = `${CSI}?25l`;
const SHOW_CURSOR = `${CSI}?25h`;
/** A character that a terminal shows wider than it was counted is cut off then, and the lines stay where they are. */
const CUT = `${CSI}?7l`;
const WRAP = `${CSI}?7h`;

export function createScreen(terminal: { columns: number; write(text: string): unknown }): Screen {
  let shown: string[] = [];
  let hidden = false;
  /** How many rows the shown lines take now: a terminal made narrower has wrapped them. */
  const rowsAbove = (): number => shown.reduce((rows, line) => rows + rowsOf(line, terminal.columns), 0);
  const up = (rows: number): string => (rows > 0 ? `${CSI}${rows}F` : "");
  return {
    draw(lines) {
      if (lines.length === shown.length && lines.every((line, at) => line === shown[at])) return;
      // Nothing is erased before it is written over.
      const body = lines.map((line) => `${line}${TO_LINE_END}\n`).join("");
      terminal.write(`${BEGIN}${HIDE_CURSOR}${CUT}${up(rowsAbove())}${body}${TO_SCREEN_END}${WRAP}${END}`);
      shown = lines;
      hidden = true;
    },
    clear() {
      if (shown.length > 0) terminal.write(`${up(rowsAbove())}${TO_SCREEN_END}`);
      shown = [];
    },
    leave() {
      if (hidden) terminal.write(SHOW_CURSOR);
      shown = [];
      hidden = false;
    },
  };
}

const rowsOf = (line: string, columns: number): number =>
  Math.max(1, Math.ceil(columnsOf(stripVTControlCharacters(line)) / Math.max(1, columns)));
