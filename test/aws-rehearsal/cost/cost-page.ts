/** Whether docs/cost.md says what was counted. Times differ from computer to computer; counts do not. Pure. */
import type { CostRow } from "./cost.ts";

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
