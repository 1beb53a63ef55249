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
  say: (line: string) => void;
}

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
