/** Follows the events of a run through its client. The run goes on, whether it is followed or not. */
import { setTimeout as delay } from "node:timers/promises";
import { UserError } from "../core/errors.ts";
import type { AnswerUnderway } from "../core/ports.ts";
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import type { Client } from "./client.ts";

export interface FollowOptions {
  /** Events up to this one are known already. */
  after: number;
  /** `over`: until the run ends, waits for a person, or the signal comes. `now`: until there are no more at the moment. */
  until: "over" | "now";
  show: (events: Event[]) => void;
  /** Gets the answer that a model is writing, each time that there is more of it; nothing: it is written. */
  showUnderway?: ((underway: AnswerUnderway | undefined) => void) | undefined;
  signal?: AbortSignal | undefined;
  isStopped?: () => boolean;
  /** How it waits between two questions. Absent: by the clock of this computer. */
  rest?: typeof pause;
}

/** Answers the number of the last event that it has shown. */
export async function followEvents(
  client: Pick<Client, "events">,
  id: string,
  options: FollowOptions,
): Promise<number> {
  const { after, until, show, showUnderway, signal, rest = pause } = options;
  const { isStopped = () => signal?.aborted === true } = options;
  let written = showUnderway ? 0 : undefined;
  for (let last = after; ; ) {
    const page = await client.events(id, { after: last, wait: until === "over", written, signal });
    const events = page.events.filter(({ seq }) => seq > last);
    if (events.length > 0) show(events);
    const hasMoved = written !== undefined && (page.underway?.characters ?? 0) !== written;
    if (hasMoved) {
      written = page.underway?.characters ?? 0;
      showUnderway?.(page.underway);
    }
    last = events.at(-1)?.seq ?? last;
    if (page.over || isStopped() || (until === "now" && events.length === 0)) return last;
    if (until === "over" && page.pollSeconds !== undefined) await rest(page.pollSeconds * 1_000, signal);
    else if (events.length === 0 && !hasMoved) await rest(EAGERNESS_MS, signal);
  }
}

/** An API that does not hold requests is not asked all the time. */
export const EAGERNESS_MS = 250;

/** Until the time is over or the signal comes. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  delay(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});

/** Until it ends, waits for a person, or the signal comes. */
export async function followRun(
  client: Pick<Client, "events" | "run">,
  id: string,
  options: Omit<FollowOptions, "until">,
): Promise<Run> {
  await followEvents(client, id, { ...options, until: "over" });
  const run = await client.run(id);
  if (run) return run;
  throw new UserError(`Run ${id} was deleted meanwhile.`, { exitCode: 2, remedy: "l2mac list" });
}
