/** The events of a run as they come, for `for await`. */
import { setTimeout as delay } from "node:timers/promises";
import type { Event } from "../core/run/event.ts";
import type { Client } from "./client.ts";

export interface StreamOptions {
  /** Events up to this one are known already. */
  after?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** An API that does not hold the request is not asked all the time. */
const EAGERNESS_MS = 250;

/** Ends when the run ends, waits for a person, or the signal comes. */
export async function* streamEvents(
  client: Pick<Client, "events">,
  id: string,
  { after = 0, signal }: StreamOptions,
): AsyncGenerator<Event, void, undefined> {
  for (let last = after; signal?.aborted !== true; ) {
    const { events, over } = await client.events(id, { after: last, wait: true, signal });
    const fresh = events.filter(({ seq }) => seq > last);
    last = fresh.at(-1)?.seq ?? last;
    yield* fresh;
    if (over) return;
    if (fresh.length === 0) await delay(EAGERNESS_MS, undefined, signal ? { signal } : {}).catch(() => {});
  }
}
