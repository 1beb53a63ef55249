/** The price of counted requests. Pure. */
import { PRICES } from "../../../lib/deployment/cost/prices.ts";

export interface Counts {
  instructions: number;
  transitions: number;
  /** Of all functions. */
  invocations: number;
  /** Of the functions on arm64, without the time that a model takes: here it answers at once. */
  gbSeconds: number;
  evaluatorGbSeconds: number;
  writeUnits: number;
  readUnits: number;
  /** PUT, COPY, POST and LIST. */
  s3Writes: number;
  s3Reads: number;
}

export interface CostRow {
  what: string;
  count: number;
  usd: number;
}

/** Of a hundred instructions like those that were counted. */
export function costOf(counts: Counts): CostRow[] {
  const share = 100 / counts.instructions;
  const row = (what: string, count: number, price: number): CostRow => ({
    what,
    count: count * share,
    usd: count * share * price,
  });
  return [
    row("Step Functions transitions", counts.transitions, PRICES.transition),
    row("Lambda invocations", counts.invocations, PRICES.invocation),
    row("Lambda GB-s, arm64", counts.gbSeconds, PRICES.gbSecond),
    row("Lambda GB-s of the evaluator, x86", counts.evaluatorGbSeconds, PRICES.evaluatorGbSecond),
    row("DynamoDB write units", counts.writeUnits, PRICES.writeUnit),
    row("DynamoDB read units", counts.readUnits, PRICES.readUnit),
    row("S3 writes", counts.s3Writes, PRICES.s3Write),
    row("S3 reads", counts.s3Reads, PRICES.s3Read),
  ];
}

export function costTable(rows: CostRow[]): string[] {
  const total = rows.reduce((sum, { usd }) => sum + usd, 0);
  const line = (what: string, count: string, usd: number): string =>
    `  ${what.padEnd(36)}${count.padStart(8)}  $${usd.toFixed(5)}`;
  return [...rows.map(({ what, count, usd }) => line(what, rounded(count), usd)), line("together", "", total)];
}

const rounded = (count: number): string => (count < 10 ? count.toFixed(1) : Math.round(count).toString());

const TOLERANCE = 0.1;

/** The rows of the page that are no longer true. */
export function untrueRows(page: string, rows: CostRow[]): string[] {
  return rows
    .filter(({ what }) => !what.includes("GB-s"))
    .flatMap(({ what, count }) => {
      const said = Number(new RegExp(`^\\| ${what} \\| ([\\d,.]+) \\|`, "m").exec(page)?.[1]?.replace(",", ""));
      return Math.abs(said - count) <= count * TOLERANCE
        ? []
        : [`${what}: ${said} in docs/cost.md, ${count.toFixed(0)} counted`];
    });
}
