/** `GET /runs/{id}/events`: the events of a run, with long polling for the next one. */
import * as z from "zod";
import { defined } from "../../core/defined.ts";
import type { Event } from "../../core/run/event.ts";
import { isEnded, type Run, waitsForPerson } from "../../core/run/run.ts";
import { pollSeconds, type WatchedTimes } from "../../core/run/watch-interval.ts";
import { EventPage } from "../answers.ts";
import { type RouteCall, route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const LONGEST_WAIT_SECONDS = 20;
const POLL_MS = 250;
const PAGE = 200;

const Query = z.strictObject({
  after: z.int().min(0).max(999_999_999).default(0).describe("The number of the last known event."),
  wait: z.int().min(0).max(LONGEST_WAIT_SECONDS).default(0).describe("Seconds to wait for the next event."),
  written: z.int().min(0).optional().describe("Known characters of `underway`: more of them end the wait."),
});

export const events = route({
  name: "listEvents",
  description:
    "Lists events after a number. It can wait for the next event, unless the run does not move or the server does not hold requests; then `pollSeconds` says when to ask again.",
  query: Query,
  answers: {
    200: { description: "Events, and `next`, which goes into `after` of the next request.", schema: EventPage },
    303: { description: "Their location, if they are too large for one answer." },
  },
  problems: [400, 403, 404],
  async handle(call) {
    const { run, events } = await firstEvents(call);
    const underway = call.parts.answerUnderway?.(run.id);
    const next = events.at(-1)?.seq ?? call.query.after;
    const over = isAtRest(run) && events.length < PAGE;
    const isPaced = call.parts.settings.isPaced === true && !isAtRest(run) && events.length < PAGE;
    const poll = isPaced ? { pollSeconds: pollSeconds(timesOf(run, call.parts.clock.now())) } : {};
    return { status: 200, json: { events, next, status: run.status, over, ...poll, ...defined({ underway }) } };
  },
});

async function firstEvents(call: RouteCall<z.infer<typeof Query>>): Promise<{ run: Run; events: Event[] }> {
  const { parts, query, signal } = call;
  const { clock, registry, settings } = parts;
  const until = clock.now() + Math.min(query.wait, settings.longestWaitSeconds) * 1_000;
  for (;;) {
    // Before its events, so that the last ones are not missed.
    const run = await ownRun(call);
    const events = await registry.events(run.id, { after: query.after, limit: PAGE });
    const left = until - clock.now();
    const hasMoved = query.written !== undefined && (parts.answerUnderway?.(run.id)?.characters ?? 0) !== query.written;
    if (events.length > 0 || hasMoved || left <= 0 || isAtRest(run) || signal.aborted) return { run, events };
    await clock.sleep(Math.min(settings.pollMs ?? POLL_MS, left), signal).catch(ignoreAbort(signal));
  }
}

const timesOf = ({ createdAt, updatedAt }: Run, now: number): WatchedTimes => ({
  now,
  createdAt: Date.parse(createdAt),
  updatedAt: Date.parse(updatedAt),
});

/** No event follows unless a person resumes or approves the run. */
const isAtRest = (run: Run): boolean => isEnded(run.status) || waitsForPerson(run);

const ignoreAbort = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error;
};
