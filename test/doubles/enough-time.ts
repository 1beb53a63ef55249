/** Results that a busy computer must not change. */

const MOST_MS = 120_000;

/**
 * Runs what only its time ends, at first with little of it, and with more until it came as far as the test is about: a
 * busy computer needs a while to get there.
 */
export async function withEnoughTime<Result>(
  firstMs: number,
  run: (timeoutMs: number) => Promise<Result>,
  cameFarEnough: (result: Result) => boolean,
): Promise<Result> {
  for (let timeoutMs = firstMs; ; timeoutMs *= 4) {
    const result = await run(timeoutMs);
    if (cameFarEnough(result) || timeoutMs >= MOST_MS / 4) return result;
  }
}

/** What the work takes of the processor on this thread, in milliseconds: it does not grow while others use the computer. */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
