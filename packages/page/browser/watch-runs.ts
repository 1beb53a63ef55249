/** Keeps the pages of a search for runs up to date. */
import type { RunView } from "../../../lib/api/answers.ts";
import { type Outage, outageAfter } from "./failures.ts";
import type { Ask } from "./fetch-run.ts";
import type { Pause } from "./pause.ts";

export interface RunList {
  runs?: RunView[];
  /** Ids of those that another version wrote. */
  unreadable?: string[];
  /** There are, or may be, more than were looked at. */
  hasMore?: boolean;
  /** Undefined: the server is there. */
  outage?: Outage | undefined;
}

export interface WatchRunsOptions {
  /** A word of their names; empty: all. */
  like: string;
  /** One status; empty: all. */
  status?: string;
  /** How often more were wanted, from 1. */
  rounds: number;
  ask: Ask;
  pause: Pause;
  now: () => number;
  onUpdate: (known: RunList) => void;
  signal: AbortSignal;
}

const EVERY_MS = 2_000;
const SLOWEST_MS = 30_000;

export async function watchRuns({ pause, now, onUpdate, ...asking }: WatchRunsOptions): Promise<void> {
  const { signal } = asking;
  let outage: Outage | undefined;
  while (!signal.aborted) {
    try {
      const { pages, ...found } = await findRuns(asking);
      outage = undefined;
      onUpdate({ ...found, outage });
      await pause(Math.min(SLOWEST_MS, EVERY_MS * pages));
    } catch (error) {
      if (signal.aborted) return;
      outage = outageAfter(outage, { error, now: now() });
      onUpdate({ outage });
      await pause(outage.next - now());
    }
  }
}

interface RunsPage {
  runs: RunView[];
  unreadable?: string[];
  cursor?: string;
}

type FindOptions = Pick<WatchRunsOptions, "like" | "status" | "rounds" | "ask" | "signal">;

const A_PAGE = 100;
/** Of a search a page can be short, or empty, with others behind it. */
const PAGES_A_ROUND = 10;

export async function findRuns({ like, status, rounds, ask, signal }: FindOptions) {
  const runs: RunView[] = [];
  const unreadable: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const limit = String(Math.min(A_PAGE, A_PAGE * rounds - runs.length));
    const wanted = { ...(like ? { q: like } : {}), ...(status ? { status } : {}) };
    const query = new URLSearchParams({ limit, ...wanted, ...(cursor ? { cursor } : {}) });
    const page = await ask<RunsPage>(`/runs?${query}`, { signal });
    pages += 1;
    runs.push(...page.runs);
    unreadable.push(...(page.unreadable ?? []));
    cursor = page.cursor;
  } while (cursor !== undefined && runs.length < A_PAGE * rounds && pages < PAGES_A_ROUND * rounds);
  return { runs, unreadable, hasMore: cursor !== undefined, pages };
}
