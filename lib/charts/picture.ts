/** One picture of a run: drawn as SVG, and as a table for whoever wants the numbers. */
import type { DraftInstruction, Instruction, Requirement } from "../core/program/program.ts";
import type { Run } from "../core/run/run.ts";
import type { ToldTurn } from "../core/turn/turn.ts";

export interface History {
  run: Run;
  program: { instructions: PicturedInstruction[]; requirements: Requirement[] };
  /** In the order in which they were made, planning first. */
  turns: ToldTurn[];
}

/** What its turns do not tell of it, where that is known. */
export type PicturedInstruction = DraftInstruction & Partial<Instruction>;

export interface Picture {
  /** Of its files. */
  name: string;
  title: string;
  /** What it shows, in a sentence or two. */
  says: string;
  /** Why there is nothing to be drawn, where that is so. */
  absent: string;
  /** In this many pixels. Undefined where there is nothing to be drawn yet. */
  svg(history: History, width?: number): string | undefined;
  rows(history: History): Row[];
}

/** Of a picture that nobody told how much room there is; a page of paper is as wide. */
export const USUAL_WIDTH = 720;

/** The first one is the head. */
export type Row = (string | number)[];
