/** Finds the first instruction after which a check fails, with as few checks as possible. */

/** Unknown: the check could not be made there. */
export type Outcome = "passes" | "fails" | "unknown";

export interface Search {
  /** It is to fail after this instruction. */
  last: number;
  /** It is known to pass after this one. Absent: that is looked for. */
  good?: number | undefined;
  check(at: number): Promise<Outcome>;
}

export type Failure =
  /** `first` is the first after which it fails; unless every one since `good` could be checked, one of `among`. */
  | { kind: "found"; first: number; good: number; among: number[] }
  | { kind: "passes_at_end" }
  | { kind: "unknown_at_end" }
  /** It passed nowhere before. */
  | { kind: "never_passes" };

export async function findFailure({ last, good: given, check }: Search): Promise<Failure> {
  const end = await check(last);
  if (end !== "fails") return { kind: end === "passes" ? "passes_at_end" : "unknown_at_end" };
  const good = given ?? (await findPass(last, check));
  if (good === undefined || (given !== undefined && (await check(given)) !== "passes")) return { kind: "never_passes" };
  return narrow({ good, bad: last, check });
}

/** The start, or else the middle of ever smaller ranges: what works only later passes in the middle of the run. */
async function findPass(last: number, check: Search["check"]): Promise<number | undefined> {
  if ((await check(0)) === "passes") return 0;
  const ranges: [number, number][] = [[0, last]];
  for (const [low, high] of ranges) {
    const middle = (low + high) >> 1;
    if (middle === low) continue;
    if ((await check(middle)) === "passes") return middle;
    // The later half first: the last that passes is the nearest to the failure.
    ranges.push([middle, high], [low, middle]);
  }
  return undefined;
}

async function narrow({ good, bad, check }: { good: number; bad: number; check: Search["check"] }): Promise<Failure> {
  const unknown = new Set<number>();
  let [low, high] = [good, bad];
  for (;;) {
    const open = between(low, high).filter((at) => !unknown.has(at));
    const middle = open[(open.length - 1) >> 1];
    if (middle === undefined) return { kind: "found", first: high, good: low, among: [...between(low, high), high] };
    const outcome = await check(middle);
    if (outcome === "passes") low = middle;
    else if (outcome === "fails") high = middle;
    else unknown.add(middle);
  }
}

const between = (low: number, high: number): number[] =>
  Array.from({ length: Math.max(0, high - low - 1) }, (_, index) => low + 1 + index);
