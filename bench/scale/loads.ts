/** The loads that docs/scale.md shows, and its table. */
import type { Load, Simulated } from "./simulate.ts";

/** Never reached: what is measured is the cost of keeping it. */
const CEILING = 1e12;

export const LOADS: readonly (Load & { name: string })[] = [
  { name: "1,000 runs, 10 minutes, no daily ceiling", runs: 1_000, minutes: 10 },
  { name: "1,000 runs, 10 minutes, a daily ceiling", runs: 1_000, minutes: 10, dailyMicroUsd: CEILING },
];

export interface Measured extends Simulated {
  name: string;
}

export const conflictShare = ({ tries, conflicts }: Simulated): number => conflicts / tries;
export const givenUpShare = ({ transactions, givenUp }: Simulated): number => givenUp / transactions;

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
const count = (number: number): string => number.toLocaleString("en-US");

export const pageRows = (loads: readonly Measured[]): string[] =>
  loads.map((load) => {
    const { table, due, owner } = load.peaks;
    const cells = [load.name, count(load.turns), count(load.failed), percent(conflictShare(load))].concat(
      percent(givenUpShare(load)),
      String(load.unitsPerTurn),
      [table, due, owner].map(count).join(" · "),
    );
    return `| ${cells.join(" | ")} |`;
  });
