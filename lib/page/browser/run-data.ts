/** All that is known here of one run, kept up as its events come. */
import { useEffect, useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import type { Event } from "../../core/event.ts";
import type { Draft } from "../../core/program.ts";
import type { ToldTurn } from "../../core/turn.ts";
import { ask, Refused } from "./ask.ts";
import { follow } from "./follow.ts";

export interface RunData {
  run?: RunView;
  program: Draft;
  turns: ToldTurn[];
  /** Paths that it started from. */
  start: string[];
  events: Event[];
  lost?: { since: number; next: number };
  problem?: string;
}

const NOTHING: RunData = { program: { instructions: [], requirements: [] }, turns: [], start: [], events: [] };
/** More than this nobody reads; the log has them all. */
const EVENTS_KEPT = 500;

export function useRun(id: string): RunData {
  const [data, setData] = useState<RunData>(NOTHING);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    setData(NOTHING);
    const change = (more: Partial<RunData>): void => setData((known) => ({ ...known, ...more }));
    const refresh = createRefresh(id, change, signal);
    const trouble = (error: unknown): void => {
      if (!signal.aborted) change({ problem: error instanceof Error ? error.message : String(error) });
    };
    const onEvents = (events: Event[]): void => {
      setData((known) => ({ ...known, events: [...known.events, ...events].slice(-EVENTS_KEPT) }));
      void refresh().catch(trouble);
    };
    const onLost = (lost: RunData["lost"]): void =>
      setData(({ lost: _, ...known }) => ({ ...known, ...(lost ? { lost } : {}) }));
    void refresh().catch(trouble);
    void follow(id, { onEvents, onLost, signal }).catch(trouble);
    return () => ending.abort();
  }, [id]);
  return data;
}

/** One at a time; what is asked for meanwhile is done once, after it. */
function createRefresh(id: string, change: (more: Partial<RunData>) => void, signal: AbortSignal) {
  const turns: ToldTurn[] = [];
  let start: string[] | undefined;
  let running: Promise<void> | undefined;
  let again = false;

  async function once(): Promise<void> {
    const [run, program] = await Promise.all([ask<RunView>(`/runs/${id}`, { signal }), programOf(id, signal)]);
    start ??= run.options.from && run.packed >= 0 ? await startOf(id, signal) : undefined;
    await takeTurns(id, turns, signal);
    change({ run, program, turns: [...turns], start: start ?? [] });
  }

  return async function refresh(): Promise<void> {
    again = true;
    running ??= (async () => {
      try {
        while (again && !signal.aborted) {
          again = false;
          await once();
        }
      } finally {
        running = undefined;
      }
    })();
    await running;
  };
}

/** As it is written, without how far each instruction is. */
async function programOf(id: string, signal: AbortSignal): Promise<Draft> {
  const { instructions, requirements } = await ask<Draft>(`/runs/${id}/program`, { signal });
  return {
    instructions: instructions.map(({ title, text, requirements: served }) => ({ title, text, requirements: served })),
    requirements: requirements.map(({ id: own, text }) => ({ id: own, text })),
  };
}

async function takeTurns(id: string, turns: ToldTurn[], signal: AbortSignal): Promise<void> {
  for (;;) {
    const last = turns.at(-1);
    const after = last ? `&after=${last.instruction}.${last.turn}` : "";
    const page = await ask<{ turns: ToldTurn[]; next?: string }>(`/runs/${id}/turns?limit=1000${after}`, { signal });
    turns.push(...page.turns.filter(({ state }) => state === "committed"));
    if (page.next === undefined) return;
  }
}

async function startOf(id: string, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for (let cursor = ""; ; ) {
    const query = `at=0&limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await ask<{ files: { path: string }[]; cursor?: string }>(`/runs/${id}/files?${query}`, { signal });
    paths.push(...page.files.map(({ path }) => path));
    if (!page.cursor) return paths;
    cursor = page.cursor;
  }
}

export const isGone = (error: unknown): boolean => error instanceof Refused && error.status === 404;
