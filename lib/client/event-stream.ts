/** The events of a run as they come, for `for await`. */
import type { Event } from "../core/run/event.ts";
import type { Client } from "./client.ts";
import { EAGERNESS_MS, pause } from "./follow-run.ts";

export interface StreamOptions {
  /** Events up to this one are known already. */
  after?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Ends when the run ends, waits for a person, or the signal comes. */
export async function* streamEvents(
  client: Pick<Client, "events">,
  id: string,
  { after = 0, signal }: StreamOptions,
): AsyncGenerator<Event, void, undefined> {
  for (let last = after; signal?.aborted !== true; ) {
    const { events, over, pollSeconds } = await client.events(id, { after: last, wait: true, signal });
    const fresh = events.filter(({ seq }) => seq > last);
    last = fresh.at(-1)?.seq ?? last;
    yield* fresh;
    if (over) return;
    if (pollSeconds !== undefined) await pause(pollSeconds * 1_000, signal);
    else if (fresh.length === 0) await pause(EAGERNESS_MS, signal);
  }
}
