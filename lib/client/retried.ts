/** Retries a transfer by a link: it is large, and a connection may break in the middle. */
import type { AskParts } from "./ask.ts";

const TRIES = 3;
const PAUSE_MS = 1_000;

export async function retried<Value>(
  { sleep, random }: Pick<AskParts, "sleep" | "random">,
  work: () => Promise<Value>,
): Promise<Value> {
  for (let failed = 1; ; failed += 1) {
    try {
      return await work();
    } catch (error) {
      if (failed >= TRIES) throw error;
      await sleep(Math.ceil(random() * PAUSE_MS * failed));
    }
  }
}
