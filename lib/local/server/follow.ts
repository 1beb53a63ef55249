/** Follows a run's events as the registry numbers them: the same for whoever computes the run and whoever watches. */
import type { Event } from "../../core/run/event.ts";

export interface Following {
  registry: { events(runId: string, range: { after: number; limit: number }): Promise<Event[]> };
  runId: string;
  after: number;
  show: (events: Event[]) => void;
  /** Looked at before the events are, so that the last ones are not missed. */
  isOver: () => Promise<boolean>;
  pause: () => Promise<void>;
}

export async function follow({ registry, runId, after, show, isOver, pause }: Following): Promise<void> {
  for (let last = after; ; ) {
    const over = await isOver();
    const events = await eventsAfter(registry, runId, last);
    if (events.length > 0) show(events);
    last = events.at(-1)?.seq ?? last;
    if (over) return;
    await pause();
  }
}

const PAGE = 500;

export async function eventsAfter(registry: Following["registry"], runId: string, after: number): Promise<Event[]> {
  const events: Event[] = [];
  for (;;) {
    const page = await registry.events(runId, { after: events.at(-1)?.seq ?? after, limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}

/** Short enough that a terminal seems to follow at once. */
export const POLL_MS = 100;
