/** Money and runs in a few characters. Pure. */
import { MICRO } from "./budget.ts";

/** Cents, and what is below a cent where there is no more. */
export function money(microUsd: number): string {
  const usd = microUsd / MICRO;
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** The end of an id is chance, and tells runs apart that began at the same time. */
const SHORT_CHARS = 6;
export const shortId = (runId: string): string => runId.slice(-SHORT_CHARS);
