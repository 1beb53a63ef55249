/** What is asked of a run next, and what an answer, or none, means for that. Pure. */
import { CHANGES_PROGRAM, type Event } from "../../core/run/event.ts";
import { isEnded, type RunStatus } from "../../core/run/run.ts";
import { type Away, awayAfter } from "./failures.ts";

export interface Watched {
  /** The last event that is known; before the first answer there is none. */
  after?: number;
  /** Something was told, or may have been, since the run and its turns were asked for; since its program was. */
  isStale: boolean;
  isProgramStale: boolean;
  /** How long until the next question. */
  restMs: number;
  away?: Away;
}

export interface EventsTold {
  events: Pick<Event, "type" | "at">[];
  next: number;
  status: RunStatus;
  over: boolean;
}

export const UNSEEN: Watched = { isStale: true, isProgramStale: true, restMs: 0 };

/** The seconds for which the server may hold the question; whether it is there again is asked without waiting. */
export const waitOf = ({ away }: Watched): number => (away ? 0 : 20);

/** Not at every event: what is told meanwhile comes together. */
const PACE_MS = 400;

/** Events are asked for from where the run stood before all else was: none is missed. */
export const seen = ({ after, away }: Watched, run: { events: number }): Watched => ({
  ...{ after: after ?? run.events, isStale: false, isProgramStale: false, restMs: PACE_MS },
  // What failed may have been the events.
  ...(away ? { away } : {}),
});

export function heard({ events, next, status, over }: EventsTold): Watched {
  const isStale = events.length > 0;
  const isProgramStale = events.some(({ type }) => CHANGES_PROGRAM[type]);
  return { after: next, isStale, isProgramStale, restMs: isStale ? 0 : over ? stillMs(status) : PACE_MS };
}

/** The server does not hold the question where nothing more comes, unless somebody elsewhere approves or resumes it. */
const stillMs = (status: RunStatus): number => (isEnded(status) ? 30_000 : 5_000);

/** All is asked for again: what was to be asked for is not forgotten, and what happens meanwhile is not overlooked. */
export function missed(watched: Watched, failure: { error: unknown; now: number }): Watched {
  const away = awayAfter(watched.away, failure);
  return { ...watched, isStale: true, isProgramStale: true, restMs: away.next - failure.now, away };
}
