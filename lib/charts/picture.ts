/** One picture of a run: drawn as SVG, and as a table for whoever wants the numbers. */
import type { Requirement } from "../core/program/program.ts";
import { historyOf, type InstructionState, type RecordedInstruction } from "../core/run/history.ts";
import type { Run } from "../core/run/run.ts";
import type { ToldTurn } from "../core/turn/turn.ts";

export interface RunRecord {
  run: Run;
  program: { instructions: RecordedInstruction[]; requirements: Requirement[] };
  /** In the order in which they were made. */
  turns: ToldTurn[];
}

/** What a chart is drawn from: a run, or its part up to a turn. */
export interface ChartData extends RunRecord {
  /** Of each instruction after the last of the turns. */
  states: InstructionState[];
}

export const chartDataOf = (record: RunRecord): ChartData => ({
  ...record,
  states: historyOf(record)
    .at(record.turns.length - 1)
    .states(),
});

export interface Picture {
  /** Of its files. */
  name: string;
  title: string;
  /** What it shows, in a sentence or two. */
  says: string;
  /** Why there is nothing to be drawn, where that is so. */
  absent: string;
  /** In this many pixels. Undefined where there is nothing to be drawn yet. */
  svg(history: ChartData, width?: number): string | undefined;
  rows(history: ChartData): Row[];
}

/** Of a picture that nobody told how much room there is; a page of paper is as wide. */
export const USUAL_WIDTH = 720;

/** The first one is the head. */
export type Row = (string | number)[];
