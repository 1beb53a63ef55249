/** Compare-and-set: reads, decides and writes, again from the start when another writer was faster. Pure. */
/** All lanes of a run number the same events, and each of them may be faster some times. */
const TRIES = 100;

/** `attempt` answers undefined when another writer was faster. After some tries, `contended` says what was not written. */
export async function compareAndSet<Result>(
  attempt: () => Promise<Result | undefined>,
  contended: () => Error,
): Promise<Result> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw contended();
}
