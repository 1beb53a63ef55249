/** What a run waits for, and what a person answered, as a line. Pure. */
import type { Event } from "../../core/run/event.ts";
import { clock } from "../../core/text/format.ts";

type WaitingEvent = Extract<Event, { type: "waiting" | "asked" | "answered" }>;

export function waitingLine(event: WaitingEvent, total: number): string {
  if (event.type === "waiting") {
    return event.until === undefined ? event.why : `waiting: ${event.why} Next try at ${clock(event.until, event.at)}.`;
  }
  const place = `${event.instruction}/${Math.max(total, event.instruction)} ${event.title}`;
  if (event.type === "answered") return `answered ${place}: ${event.answer}`;
  const choices = (event.choices ?? []).map((choice, at) => `${at + 1}) ${choice}`);
  return `? ${place} · ${[event.question, ...choices].join(" ")}`;
}
