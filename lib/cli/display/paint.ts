/** Colour for results, where a terminal shows them. */
import type { Run } from "../../core/run/run.ts";
import type { Shell } from "./shell.ts";

export type Color = "red" | "green" | "yellow" | "blue" | "dim" | "bold";
export type Paint = (color: Color, text: string) => string;

const CODES: Record<Color, string> = { red: "31", green: "32", yellow: "33", blue: "36", dim: "2", bold: "1" };

const STATUS_COLORS: Record<Run["status"], Color> = {
  queued: "blue",
  planning: "blue",
  running: "blue",
  delivering: "blue",
  waiting: "yellow",
  partial: "yellow",
  cancelled: "yellow",
  completed: "green",
  failed: "red",
};

/** The word of the status, where it is first in the line. */
export const paintStatus = (paint: Paint, { status }: Pick<Run, "status">, line: string): string =>
  line.replace(status, (word) => paint(STATUS_COLORS[status], word));

export const plain: Paint = (_, text) => text;

/** For standard output: not in pipes, and not where NO_COLOR is set. */
export const paintFor = ({ resultOnTerminal, env }: Pick<Shell, "resultOnTerminal" | "env">): Paint =>
  resultOnTerminal && !env.NO_COLOR && env.TERM !== "dumb"
    ? (color, text) => (text === "" ? text : `\u001b[${CODES[color]}m${text}\u001b[0m`)
    : plain;
