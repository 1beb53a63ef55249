/** An experiment of the laboratory: figures with their aims, and whatever broke. */
import type { Row } from "../../bench/table.ts";
import type { Problem } from "./history.ts";

export interface Asked {
  /** A fixed, smaller set: for every change. */
  quick: boolean;
  /** Of the seeded histories: how many, from which one on. */
  seeds: number | undefined;
  from: number;
  /** Stops where this invariant broke. */
  until: string | undefined;
  /** From 1 to 3: of what an experiment goes through, this third alone is played. Absent: all of it. */
  third: number | undefined;
  say: (line: string) => void;
}

/** The seeds or calls from `from` to `to` that are played. */
export const numbersOf = ({ third }: Pick<Asked, "third">, from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.ceil((to - from + 1) / step) }, (_, index) => from + index * step).filter(
    (_, index) => third === undefined || index % 3 === third - 1,
  );

export interface Broken extends Problem {
  /** What was done, so that it can be done again. */
  where: string;
}

export interface Outcome {
  rows: Row[];
  broken: Broken[];
}

export const isShown = (broken: Broken[], { until }: Pick<Asked, "until">): boolean =>
  until !== undefined && broken.some(({ invariant }) => invariant === until);

export type Experiment = (asked: Asked) => Promise<Outcome>;

/** In place of an aim. */
export const SKIPPED = "skipped";

export const counted = (count: number): string => count.toLocaleString("en-US");
