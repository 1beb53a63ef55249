/** `GET /runs/{id}/events`: what happened, and what happens next, by holding the request until it does. */
import * as z from "zod";
import type { Event } from "../../core/run/event.ts";
import { isEnded, type Run, waitsForPerson } from "../../core/run/run.ts";
import { EventPage } from "../answers.ts";
import { type Asked, route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const LONGEST_WAIT_SECONDS = 20;
const POLL_MS = 250;
const PAGE = 200;

const Query = z.strictObject({
  after: z.number().int().min(0).max(999_999_999).default(0).describe("The number of the last event that is known."),
  wait: z.number().int().min(0).max(LONGEST_WAIT_SECONDS).default(0).describe("Seconds to wait for the next event."),
});

export const events = route({
  method: "GET",
  path: "/runs/{id}/events",
  name: "listEvents",
  says: "Lists events after a number. Where there are none yet it can wait for some, unless the run stands still.",
  query: Query,
  answers: {
    200: { says: "Events, and `next`, which goes into `after` of the next request.", schema: EventPage },
    303: { says: "Where they are, being too large for one answer." },
  },
  problems: [400, 403, 404],
  async handle(asked) {
    const { run, events } = await firstEvents(asked);
    const next = events.at(-1)?.seq ?? asked.query.after;
    const over = standsStill(run) && events.length < PAGE;
    return { status: 200, json: { events, next, status: run.status, over } };
  },
});

async function firstEvents(asked: Asked<z.infer<typeof Query>>): Promise<{ run: Run; events: Event[] }> {
  const { parts, query, signal } = asked;
  const { clock, registry, settings } = parts;
  const until = clock.now() + Math.min(query.wait, settings.longestWaitSeconds) * 1_000;
  for (;;) {
    // Before its events, so that the last ones are not missed.
    const run = await ownRun(asked);
    const events = await registry.events(run.id, { after: query.after, limit: PAGE });
    const left = until - clock.now();
    if (events.length > 0 || left <= 0 || standsStill(run) || signal.aborted) return { run, events };
    await clock.sleep(Math.min(settings.pollMs ?? POLL_MS, left), signal).catch(unlessAborted(signal));
  }
}

/** Nothing more comes unless somebody resumes or approves it. */
const standsStill = (run: Run): boolean => isEnded(run.status) || waitsForPerson(run);

const unlessAborted = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error;
};
