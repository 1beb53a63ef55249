/** Submits a rehearsal and waits for its end: whether a stack computes is best seen by letting it. */
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import type { Client } from "./client.ts";
import { followRun } from "./follow-run.ts";

export interface RehearsalParts {
  /** What the run is called. */
  name?: string;
  show?: (events: Event[]) => void;
  signal?: AbortSignal;
}

/** Resolves with the run at its end, or at the signal if that comes first. */
export async function rehearse(client: Client, { name, show = () => {}, signal }: RehearsalParts = {}): Promise<Run> {
  const task = "A rehearsal: whether everything that computes a run works together.";
  // What is asked is whether it computes: evidence would take several times as long.
  const options = { model: "rehearsal", evidence: "off" } as const;
  const { id } = await client.submit({ task, ...options, ...(name === undefined ? {} : { name }) });
  return followRun(client, id, { after: 0, show, signal });
}
