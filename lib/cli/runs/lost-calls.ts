/** Calls of a run that were interrupted, and what is reserved for them. */
import { followEvents } from "../../client/follow-run.ts";
import { type WrittenOff, writtenOffIn } from "../../core/run/accounts/written-off.ts";
import type { Event } from "../../core/run/event.ts";
import { lanesOf, type Run } from "../../core/run/run.ts";

/** The report reads the events of longer runs. */
const EVENTS_READ = 4_000;

/** A call is interrupted where an attempt ends without an answer: of a single attempt no event is read. */
export async function lostIn(computer: Parameters<typeof followEvents>[0], run: Run): Promise<WrittenOff | undefined> {
  const isWhole = run.attempt <= 1 && lanesOf(run) === 1 && run.reason !== "interrupted";
  if (isWhole || run.events > EVENTS_READ) return undefined;
  const events: Event[] = [];
  await followEvents(computer, run.id, { after: 0, until: "now", show: (more) => void events.push(...more) });
  return writtenOffIn(events);
}
