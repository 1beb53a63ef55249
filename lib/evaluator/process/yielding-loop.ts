/** Does many small things at once without waiting for each, and lets everything else have its turn in between. */
import { setImmediate } from "node:timers/promises";

/** A few milliseconds of small files. */
const AT_ONCE = 64;

export async function forEachYielding<Item>(items: Iterable<Item>, act: (item: Item) => void): Promise<void> {
  let done = 0;
  for (const item of items) {
    act(item);
    done += 1;
    if (done % AT_ONCE === 0) await setImmediate();
  }
}
