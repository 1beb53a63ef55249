/** Releases in their order. What is no plain release is not compared. Pure. */

export function fitsSign(sign: string, order: number): boolean {
  if (sign === "<") return order < 0;
  if (sign === "<=") return order <= 0;
  if (sign === ">") return order > 0;
  if (sign === ">=") return order >= 0;
  return sign === "!=" ? order !== 0 : order === 0;
}

export const startsWith = (version: string, part: string): boolean =>
  numbersOf(part)?.every((number, at) => number === (numbersOf(version)?.[at] ?? 0)) ?? true;

export function compare(version: string, wanted: string): number | undefined {
  const [left, right] = [numbersOf(version), numbersOf(wanted.replace(/\.\*$/, ""))];
  if (!left || !right) return undefined;
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const order = (left[at] ?? 0) - (right[at] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

const numbersOf = (version: string): number[] | undefined =>
  /^\d+(?:\.\d+)*$/.test(version) ? version.split(".").map(Number) : undefined;
