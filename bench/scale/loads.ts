/** The loads that docs/scale.md shows, and its tables. */
import type { Account, AccountLoad } from "./account.ts";
import type { Load, Simulated } from "./simulate.ts";

/** Never reached: what is measured is the cost of keeping it. */
const CEILING_USD = 1_000_000;

/** An hour of a thousand runs takes some minutes of the processor: SCALE_MINUTES=60. */
const minutes = Number(process.env.SCALE_MINUTES ?? 10);

export const LOADS: readonly Load[] = [
  { runs: 1_000, minutes },
  { runs: 1_000, minutes, dailyUsd: CEILING_USD },
];

export type Measured = Load & Simulated;

export const nameOf = ({ runs, minutes, dailyUsd }: Load): string =>
  `${count(runs)} runs, ${minutes} minutes, ${dailyUsd === undefined ? "no" : "a"} daily ceiling`;

export const conflictShare = ({ tries, conflicts }: Simulated): number => conflicts / tries;
export const givenUpShare = ({ transactions, givenUp }: Simulated): number => givenUp / transactions;

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
const count = (number: number): string => number.toLocaleString("en-US");

export const pageRows = (loads: readonly Measured[]): string[] =>
  loads.map((load) => {
    const { table, due, owner } = load.peaks;
    const cells = [nameOf(load), count(load.failed), count(load.turns), percent(conflictShare(load))].concat(
      percent(givenUpShare(load)),
      String(load.unitsPerTurn),
      [table, due, owner].map(count).join(" · "),
    );
    return `| ${cells.join(" | ")} |`;
  });

const SMALL = { executions: 10, minutes: 30 };
/** The first as the API was before, when it held the requests of watchers. */
export const ACCOUNTS: readonly AccountLoad[] = [
  { ...SMALL, watched: 5, holdSeconds: 5 },
  ...[3, 5, 7].map((watched) => ({ ...SMALL, watched, holdSeconds: 0 })),
];

export type MeasuredAccount = Account & AccountLoad;

export const accountRows = (accounts: readonly MeasuredAccount[]): string[] =>
  accounts.map(({ watched, holdSeconds, requests, refused, asked, unanswered, longestMs }) => {
    const held = holdSeconds > 0 ? `, if the API held each request for ${holdSeconds} seconds` : "";
    const cells = [`${watched} watched runs${held}`, percent(refused / requests)].concat(
      `${unanswered} of ${asked}`,
      `${(longestMs / 1_000).toFixed(1)} s`,
    );
    return `| ${cells.join(" | ")} |`;
  });

/** What `npm run bench scale` stores. */
export interface Stored {
  loads: Measured[];
  accounts: MeasuredAccount[];
}
