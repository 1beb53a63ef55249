/** The runs that match a search, kept up to date, with more on request. */
import { useEffect, useState } from "preact/hooks";
import { ask } from "./ask.ts";
import { createPause } from "./pause.ts";
import { useDebounced } from "./use-debounced.ts";
import { type RunList, watchRuns } from "./watch-runs.ts";

/** Who types goes on typing. */
const TYPED_MS = 200;

export interface Runs extends RunList {
  /** They are not yet those that are wanted now. */
  isLooking: boolean;
  more: () => void;
}

export function useRuns(typed: string, status: string): Runs {
  const like = useDebounced(typed.trim(), TYPED_MS);
  const [wanted, setWanted] = useState({ like, status, rounds: 1 });
  const rounds = wanted.like === like && wanted.status === status ? wanted.rounds : 1;
  const key = `${rounds} ${status} ${like}`;
  const [known, setKnown] = useState<RunList & { key?: string }>({});
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const onUpdate = (more: RunList): void =>
      setKnown((before) => ({ ...before, ...more, ...(more.runs ? { key } : {}) }));
    const pause = createPause({ signal, tab: document });
    void watchRuns({ like, status, rounds, ask, pause, now: Date.now, onUpdate, signal });
    return () => ending.abort();
  }, [key]);
  const isLooking = known.key !== key || typed.trim() !== like;
  return { ...known, isLooking, more: () => setWanted({ like, status, rounds: rounds + 1 }) };
}
