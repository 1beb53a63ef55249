/** The last lines of a terminal, redrawn in place: each frame is one write, and only what changed is sent. */
import { stripVTControlCharacters } from "node:util";
import { columnsOf } from "./plain-text.ts";

export interface Screen {
  draw(lines: string[]): void;
  /** Takes the lines away, so that others can be written where they were. */
  clear(): void;
}

const CSI = "\u001b[";
/** Terminals that know it show the frame at once; the others ignore it. */
const BEGIN = `${CSI}?2026h`;
const END = `${CSI}?2026l`;
const TO_LINE_END = `${CSI}K`;
const TO_SCREEN_END = `${CSI}J`;

export function createScreen(terminal: { columns: number; write(text: string): unknown }): Screen {
  let shown: string[] = [];
  /** How many rows the shown lines take now: a terminal made narrower has wrapped them. */
  const rowsAbove = (): number => shown.reduce((rows, line) => rows + rowsOf(line, terminal.columns), 0);
  const up = (rows: number): string => (rows > 0 ? `${CSI}${rows}F` : "");
  return {
    draw(lines) {
      if (lines.length === shown.length && lines.every((line, at) => line === shown[at])) return;
      const body = lines.map((line) => `${line}${TO_LINE_END}\n`).join("");
      terminal.write(`${BEGIN}${up(rowsAbove())}${body}${TO_SCREEN_END}${END}`);
      shown = lines;
    },
    clear() {
      if (shown.length > 0) terminal.write(`${up(rowsAbove())}${TO_SCREEN_END}`);
      shown = [];
    },
  };
}

const rowsOf = (line: string, columns: number): number =>
  Math.max(1, Math.ceil(columnsOf(stripVTControlCharacters(line)) / Math.max(1, columns)));
