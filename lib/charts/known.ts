/** What was known at each turn: what the last look found, until somebody looks again. Pure. */

/** Undefined before the first look: nothing is known then. */
export function carried(values: (number | undefined)[]): (number | undefined)[] {
  let last: number | undefined;
  return values.map((value) => {
    last = value ?? last;
    return last;
  });
}
