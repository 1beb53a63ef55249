/** Follows a run through the API until it ends, waits for somebody, or the signal comes: the run goes on all the same. */
import { setTimeout as delay } from "node:timers/promises";
import { UserError } from "../core/errors.ts";
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import type { Api } from "./api.ts";

export async function followRun(
  api: Pick<Api, "events" | "run">,
  id: string,
  { after, show, signal }: { after: number; show: (events: Event[]) => void; signal?: AbortSignal | undefined },
): Promise<Run> {
  for (let last = after; ; ) {
    const told = await api.events(id, { after: last, wait: true, signal });
    const events = told.events.filter(({ seq }) => seq > last);
    if (events.length > 0) show(events);
    last = events.at(-1)?.seq ?? last;
    if (told.over || signal?.aborted) break;
    // Whoever does not hold the request, though there is nothing to tell, is not asked all the time.
    if (events.length === 0) await delay(EAGERNESS_MS);
  }
  const run = await api.run(id);
  if (run) return run;
  throw new UserError(`Run ${id} was deleted meanwhile.`, { exitCode: 2, remedy: { command: "list", args: [] } });
}

const EAGERNESS_MS = 250;
