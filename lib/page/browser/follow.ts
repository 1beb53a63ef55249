/** Follows a run: its events one after the other, none missing and none twice, also across a server that is away. */
import type { Event } from "../../core/event.ts";
import { ask, Lost } from "./ask.ts";

export interface Following {
  /** From now on nothing is missed: whatever is asked after this is at least as new. */
  onBegin: () => void;
  onEvents: (events: Event[]) => void;
  /** Since when nobody answers, and when the next try is; undefined: somebody does. */
  onLost: (lost: { since: number; next: number } | undefined) => void;
  signal: AbortSignal;
}

interface Page {
  events: Event[];
  next: number;
  over: boolean;
}

const WAIT_SECONDS = 20;
/** A run that stands still may be resumed by somebody else. */
const STILL_MS = 2_000;
const FIRST_TRY_MS = 500;
const SLOWEST_TRY_MS = 8_000;

export async function follow(id: string, { onBegin, onEvents, onLost, signal }: Following): Promise<void> {
  let after: number | undefined;
  let since: number | undefined;
  let pause = FIRST_TRY_MS;
  while (!signal.aborted) {
    try {
      if (after === undefined) {
        // What was told before stands in the run and its turns.
        after = (await ask<{ events: number }>(`/runs/${id}`, { signal })).events;
        onBegin();
      }
      const page: Page = await ask(`/runs/${id}/events?after=${after}&wait=${WAIT_SECONDS}`, { signal });
      if (since !== undefined) onLost(undefined);
      since = undefined;
      pause = FIRST_TRY_MS;
      after = page.next;
      if (page.events.length > 0) onEvents(page.events);
      if (page.over) await sleep(STILL_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Lost)) throw error;
      since ??= Date.now();
      onLost({ since, next: Date.now() + pause });
      await sleep(pause, signal);
      pause = Math.min(SLOWEST_TRY_MS, pause * 2);
    }
  }
}

export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
