/** What was known at each turn: what the last look found, until somebody looks again. Pure. */

export function carried(values: (number | undefined)[]): number[] {
  let last = 0;
  return values.map((value) => {
    last = value ?? last;
    return last;
  });
}
