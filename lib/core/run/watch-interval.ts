/** How soon a watcher asks again where the API does not hold its requests. Pure. */

/** A new run is planned soon, and its first words are waited for. */
const YOUNG_MS = 30_000;
const YOUNG_SECONDS = 1;
const LEAST_SECONDS = 3;
const MOST_SECONDS = 15;

export interface WatchedTimes {
  now: number;
  createdAt: number;
  /** The last change of the run. */
  updatedAt: number;
}

/** Half as long as nothing has happened, so that a long silence costs little. */
export function pollSeconds({ now, createdAt, updatedAt }: WatchedTimes): number {
  if (now - createdAt < YOUNG_MS) return YOUNG_SECONDS;
  const half = Math.ceil((now - updatedAt) / 2_000);
  return Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, half));
}
