/** Counts the checks of a run and prints each with its result and its seconds. */

let [passed, failed] = [0, 0];
const began = performance.now();

/** `look` returns what is worth saying, or throws what is wrong. */
export async function check(name: string, look: () => Promise<string>): Promise<void> {
  const from = performance.now();
  const outcome = await look().then(
    (said) => ({ passed: true, said }),
    (error: unknown) => ({ passed: false, said: error instanceof Error ? error.message : String(error) }),
  );
  if (outcome.passed) passed += 1;
  else failed += 1;
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  console.log(`${outcome.passed ? "passed" : "FAILED"}  ${name} · ${seconds} s\n        ${outcome.said}`);
}

/** Whether all passed. */
export function printTotals(): boolean {
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${passed} passed, ${failed} failed, ${seconds} s`);
  return failed === 0 && passed > 0;
}

export function expectThat(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}
