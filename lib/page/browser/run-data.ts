/** All that is known here of one run, kept up as its events come. */
import { useEffect, useState } from "preact/hooks";
import type { ProgramAnswer, RunView } from "../../api/answers.ts";
import type { Event } from "../../core/event.ts";
import type { ToldTurn } from "../../core/turn.ts";
import { ask, Refused } from "./ask.ts";
import { follow, sleep } from "./follow.ts";

export interface RunData {
  run?: RunView;
  program: ProgramAnswer;
  turns: ToldTurn[];
  /** Paths that it started from. */
  start: string[];
  /** When something was last told of it. */
  newsAt?: string;
  lost?: { since: number; next: number };
  problem?: string;
  /** There is no such run, or none any more. */
  gone?: boolean;
}

const NOTHING: RunData = { program: { instructions: [], requirements: [] }, turns: [], start: [] };

export function useRun(id: string): RunData {
  const [data, setData] = useState<RunData>(NOTHING);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    setData(NOTHING);
    const change = (more: Partial<RunData>): void => setData((known) => ({ ...known, ...more }));
    const trouble = (error: unknown): void => {
      if (signal.aborted) return;
      if (isGone(error)) change({ gone: true });
      else change({ problem: error instanceof Error ? error.message : String(error) });
    };
    const refresh = createRefresh({ id, change, trouble, signal });
    const onEvents = (events: Event[]): void => {
      const newsAt = events.at(-1)?.at;
      change(newsAt === undefined ? {} : { newsAt });
      refresh({ isProgramStale: events.some(({ type }) => CHANGES_PROGRAM.has(type)) });
    };
    const onLost = (lost: RunData["lost"]): void =>
      setData(({ lost: _, ...known }) => ({ ...known, ...(lost ? { lost } : {}) }));
    const onBegin = (): void => refresh({ isProgramStale: true });
    void follow(id, { onBegin, onEvents, onLost, signal }).catch(trouble);
    return () => ending.abort();
  }, [id]);
  return data;
}

/** After any other event it is as it was. */
const CHANGES_PROGRAM = new Set<Event["type"]>([
  ...(["program", "instruction_started", "instruction_accepted", "amended", "trapped"] as const),
  ...(["instruction_skipped", "approved", "resumed", "ended"] as const),
]);

interface Refreshing {
  id: string;
  change: (more: Partial<RunData>) => void;
  trouble: (error: unknown) => void;
  signal: AbortSignal;
}

const AT_MOST_EVERY_MS = 400;

/** One at a time, and not at every event: what is asked for meanwhile is done once, after it. */
function createRefresh({ id, change, trouble, signal }: Refreshing) {
  const turns: ToldTurn[] = [];
  let start: string[] | undefined;
  let program: ProgramAnswer = NOTHING.program;
  let isStale = false;
  let isRunning = false;
  let again = false;

  async function once(): Promise<void> {
    const known = turns.length;
    const run = await ask<RunView>(`/runs/${id}`, { signal });
    if (isStale) {
      isStale = false;
      program = await ask<ProgramAnswer>(`/runs/${id}/program`, { signal });
    }
    start ??= run.options.from && run.packed >= 0 ? await startOf(id, signal) : undefined;
    await takeTurns(id, turns, signal);
    change({ run, program, ...(turns.length > known ? { turns: [...turns] } : {}), start: start ?? NOTHING.start });
  }

  async function work(): Promise<void> {
    isRunning = true;
    try {
      while (again && !signal.aborted) {
        again = false;
        await once();
        await sleep(AT_MOST_EVERY_MS, signal);
      }
    } catch (error) {
      isStale = true;
      trouble(error);
    } finally {
      isRunning = false;
    }
  }

  return function refresh({ isProgramStale }: { isProgramStale: boolean }): void {
    isStale ||= isProgramStale;
    again = true;
    if (!isRunning) void work();
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

const isGone = (error: unknown): boolean => error instanceof Refused && error.status === 404;
