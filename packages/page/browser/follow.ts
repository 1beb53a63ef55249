/** Follows a run by its events, each exactly once, also across outages of the server. */
import type { AnswerUnderway } from "../../../lib/core/ports.ts";
import { isGone, type Outage } from "./failures.ts";
import { type Ask, type Fetched, fetchRun } from "./fetch-run.ts";
import type { Pause } from "./pause.ts";
import { afterEvents, afterFailure, afterFetch, type EventsPage, INITIAL, waitOf } from "./poll-state.ts";

export interface RunUpdate extends Partial<Fetched> {
  /** When something was last page of it. */
  newsAt?: string;
  /** Undefined: the server answers. */
  outage?: Outage | undefined;
  /** What a model is writing. */
  underway?: AnswerUnderway | undefined;
  /** The run does not exist, or no longer. */
  gone?: boolean;
}

export interface FollowOptions {
  id: string;
  ask: Ask;
  pause: Pause;
  now: () => number;
  /** The server may know how much of an answer has arrived. */
  showsAnswers?: boolean;
  onUpdate: (update: RunUpdate) => void;
  signal: AbortSignal;
}

export async function follow({ id, ask, pause, now, showsAnswers, onUpdate, signal }: FollowOptions): Promise<void> {
  let poll = INITIAL;
  let known: Fetched | undefined;
  while (!signal.aborted) {
    try {
      if (poll.isStale) {
        known = await fetchRun({ id, ask, known, isProgramStale: poll.isProgramStale, signal });
        poll = afterFetch(poll, known.run);
        onUpdate(known);
      } else {
        const written = showsAnswers ? `&written=${poll.written ?? 0}` : "";
        const query = `after=${poll.after}&wait=${waitOf(poll)}${written}`;
        const page = await ask<EventsPage>(`/runs/${id}/events?${query}`, { signal });
        poll = afterEvents(page);
        const newsAt = page.events.at(-1)?.at;
        onUpdate({ outage: undefined, underway: page.underway, ...(newsAt === undefined ? {} : { newsAt }) });
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) return onUpdate({ gone: true });
      poll = afterFailure(poll, { error, now: now() });
      onUpdate({ outage: poll.outage });
    }
    await pause(poll.restMs);
  }
}
