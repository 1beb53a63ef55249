/** The state of polling a run: what is requested next, after an answer or a failure. Pure. */
import type { AnswerUnderway } from "../../../lib/core/ports.ts";
import type { Event } from "../../../lib/core/run/event.ts";
import { CHANGES_PROGRAM } from "../../../lib/core/run/program-events.ts";
import { isEnded, type RunStatus } from "../../../lib/core/run/run.ts";
import { type Outage, outageAfter } from "./failures.ts";

export interface PollState {
  /** The last event that is known; before the first answer there is none. */
  after?: number;
  /** The run and its turns, or its program, may have changed since they were fetched. */
  isStale: boolean;
  isProgramStale: boolean;
  /** How long until the next question. */
  restMs: number;
  outage?: Outage;
  /** Characters of the answer underway that are known. */
  written?: number;
}

export interface EventsPage {
  events: Pick<Event, "type" | "at">[];
  next: number;
  status: RunStatus;
  over: boolean;
  /** How soon to ask again, where the server holds no request. */
  pollSeconds?: number;
  underway?: AnswerUnderway;
}

export const INITIAL: PollState = { isStale: true, isProgramStale: true, restMs: 0 };

/** The seconds for which the server may hold the question; whether it is there again is asked without waiting. */
export const waitOf = ({ outage }: PollState): number => (outage ? 0 : 20);

/** Events of this interval are fetched together. */
const PACE_MS = 400;

/** Events are asked for from where the run stood before all else was: none is afterFailure. */
export const afterFetch = ({ after, outage }: PollState, run: { events: number }): PollState => ({
  after: after ?? run.events,
  isStale: false,
  isProgramStale: false,
  restMs: PACE_MS,
  ...(outage ? { outage } : {}),
});

export function afterEvents({ events, next, status, over, pollSeconds, underway }: EventsPage): PollState {
  const isStale = events.length > 0;
  const isProgramStale = events.some(({ type }) => CHANGES_PROGRAM[type]);
  const movingMs = pollSeconds === undefined ? PACE_MS : pollSeconds * 1_000;
  const restMs = isStale ? 0 : over ? stillMs(status) : movingMs;
  return { after: next, isStale, isProgramStale, restMs, written: underway?.characters ?? 0 };
}

/** The server does not hold requests for ended runs: they change only when someone resumes or approves them. */
const stillMs = (status: RunStatus): number => (isEnded(status) ? 30_000 : 5_000);

/** Everything is fetched again, so that nothing is missed. */
export function afterFailure(poll: PollState, failure: { error: unknown; now: number }): PollState {
  const outage = outageAfter(poll.outage, failure);
  return { ...poll, isStale: true, isProgramStale: true, restMs: outage.next - failure.now, outage };
}
