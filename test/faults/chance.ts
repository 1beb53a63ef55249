/** Chance that repeats: the same seed draws the same numbers on every machine. */

export interface Chance {
  /** From 0 to below 1. */
  share(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  one<Thing>(things: readonly [Thing, ...Thing[]]): Thing;
}

/** Mulberry32: small, and good enough to choose faults. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(share() * (most - least + 1));
  return {
    share,
    between,
    one: (things) => things[between(0, things.length - 1)] ?? things[0],
  };
}
