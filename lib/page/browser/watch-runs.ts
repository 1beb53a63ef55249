/** Keeps a list of runs up to date: of those that were searched for, page after page, as many as are wanted. */
import type { RunView } from "../../api/answers.ts";
import { type Away, awayAfter } from "./failures.ts";
import type { Ask } from "./fetch-run.ts";
import type { Pause } from "./pause.ts";

export interface RunsKnown {
  runs?: RunView[];
  /** Ids of those that another version wrote. */
  unreadable?: string[];
  /** There are, or may be, more than were looked at. */
  hasMore?: boolean;
  /** Undefined: the server is there. */
  away?: Away | undefined;
}

export interface WatchingRuns {
  /** A word of their names; empty: all. */
  like: string;
  /** How often more were wanted, from 1. */
  rounds: number;
  ask: Ask;
  pause: Pause;
  now: () => number;
  tell: (known: RunsKnown) => void;
  signal: AbortSignal;
}

const EVERY_MS = 2_000;
const SLOWEST_MS = 30_000;

export async function watchRuns({ pause, now, tell, ...asking }: WatchingRuns): Promise<void> {
  const { signal } = asking;
  let away: Away | undefined;
  while (!signal.aborted) {
    try {
      const { pages, ...found } = await findRuns(asking);
      away = undefined;
      tell({ ...found, away });
      await pause(Math.min(SLOWEST_MS, EVERY_MS * pages));
    } catch (error) {
      if (signal.aborted) return;
      away = awayAfter(away, { error, now: now() });
      tell({ away });
      await pause(away.next - now());
    }
  }
}

interface RunsPage {
  runs: RunView[];
  unreadable?: string[];
  cursor?: string;
}

type Finding = Pick<WatchingRuns, "like" | "rounds" | "ask" | "signal">;

const A_PAGE = 100;
/** Of a search a page can be short, or empty, with others behind it. */
const PAGES_A_ROUND = 10;

export async function findRuns({ like, rounds, ask, signal }: Finding) {
  const runs: RunView[] = [];
  const unreadable: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const limit = String(Math.min(A_PAGE, A_PAGE * rounds - runs.length));
    const query = new URLSearchParams({ limit, ...(like ? { q: like } : {}), ...(cursor ? { cursor } : {}) });
    const page = await ask<RunsPage>(`/runs?${query}`, { signal });
    pages += 1;
    runs.push(...page.runs);
    unreadable.push(...(page.unreadable ?? []));
    cursor = page.cursor;
  } while (cursor !== undefined && runs.length < A_PAGE * rounds && pages < PAGES_A_ROUND * rounds);
  return { runs, unreadable, hasMore: cursor !== undefined, pages };
}
