/** One picture of a run: drawn as SVG, and as a table for whoever wants the numbers. */
import type { Draft } from "../core/program.ts";
import type { Run } from "../core/run.ts";
import type { ToldTurn } from "../core/turn.ts";

export interface History {
  run: Run;
  program: Draft;
  /** In the order in which they were made, planning first. */
  turns: ToldTurn[];
}

export interface Picture {
  /** Of its files. */
  name: string;
  title: string;
  /** What it shows, in a sentence. */
  says: string;
  /** Undefined where there is nothing to be drawn yet. */
  svg(history: History): string | undefined;
  rows(history: History): Row[];
}

/** The first one is the head. */
export type Row = (string | number)[];
