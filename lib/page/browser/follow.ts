/** Follows a run: its events one after the other, none missing and none twice, and it as it stands after them, also across a server that is away. */
import { type Away, isGone } from "./failures.ts";
import { type Ask, type Fetched, fetchRun } from "./fetch-run.ts";
import type { Pause } from "./pause.ts";
import { type EventsTold, heard, missed, seen, UNSEEN, waitOf } from "./watched.ts";

export interface News extends Partial<Fetched> {
  /** When something was last told of it. */
  newsAt?: string;
  /** Undefined: the server is there. */
  away?: Away | undefined;
  /** There is no such run, or none any more. */
  gone?: boolean;
}

export interface Following {
  id: string;
  ask: Ask;
  pause: Pause;
  now: () => number;
  tell: (news: News) => void;
  signal: AbortSignal;
}

export async function follow({ id, ask, pause, now, tell, signal }: Following): Promise<void> {
  let watched = UNSEEN;
  let known: Fetched | undefined;
  while (!signal.aborted) {
    try {
      if (watched.isStale) {
        known = await fetchRun({ id, ask, known, isProgramStale: watched.isProgramStale, signal });
        watched = seen(watched, known.run);
        tell(known);
      } else {
        const query = `after=${watched.after}&wait=${waitOf(watched)}`;
        const told = await ask<EventsTold>(`/runs/${id}/events?${query}`, { signal });
        watched = heard(told);
        const newsAt = told.events.at(-1)?.at;
        tell({ away: undefined, ...(newsAt === undefined ? {} : { newsAt }) });
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) return tell({ gone: true });
      watched = missed(watched, { error, now: now() });
      tell({ away: watched.away });
    }
    await pause(watched.restMs);
  }
}
