/** Sleeping in a Wait state or before a retry: an abort wakes it, whether or not the clock then throws. */
import type { Walk } from "./asl-walk.ts";

export async function sleep(
  { clock, signal }: { clock: { sleep: Walk["wait"] }; signal: AbortSignal },
  milliseconds: number,
): Promise<void> {
  try {
    await clock.sleep(milliseconds, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
