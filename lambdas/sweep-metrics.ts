/** The metrics of one call of the sweeper. Pure. */
import type { SweepCounts } from "./sweep.ts";

/** Nothing where nothing happened: CloudWatch charges a metric for every hour in which it has data. */
export function sweepMetrics(swept: SweepCounts): [name: string, count: number][] {
  const counts = { ...swept, problems: swept.recorded + swept.failed };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([did, count]) => [`Sweep.${did}`, count]);
}
