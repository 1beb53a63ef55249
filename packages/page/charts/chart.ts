/** The interface of a chart: drawn as SVG, and as a table of its numbers. */
import type { Requirement } from "../../../lib/core/program/program.ts";
import { historyOf, type InstructionState, type RecordedInstruction } from "../../../lib/core/run/history.ts";
import type { Run } from "../../../lib/core/run/run.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";

export interface RunRecord {
  run: Run;
  program: { instructions: RecordedInstruction[]; requirements: Requirement[] };
  /** In the order in which they were made. */
  turns: TurnRecord[];
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

export interface Chart {
  /** The name of its files. */
  name: string;
  title: string;
  /** What it shows, in one or two sentences. */
  description: string;
  /** Why it is empty, if it is. */
  absent: string;
  /** `width`: in pixels. Undefined: there is nothing to draw. */
  svg(history: ChartData, width?: number): string | undefined;
  rows(history: ChartData): Row[];
}

/** The default width, as wide as a printed page. */
export const USUAL_WIDTH = 720;

/** The first row is the header. */
export type Row = (string | number)[];
