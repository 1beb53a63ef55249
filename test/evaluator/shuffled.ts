/** An order that only the seed decides. */
import { createChance } from "../faults/chance.ts";

export function shuffled<Thing>(things: readonly Thing[], seed: number): Thing[] {
  const { share } = createChance(seed);
  const keyed = things.map((thing) => ({ thing, key: share() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ thing }) => thing);
}
