import { expect, it } from "vitest";
import { Lost, Refused } from "./failures.ts";
import { findRuns, type RunList, watchRuns } from "./watch-runs.ts";

interface Stored {
  name: string;
  isUnreadable?: boolean;
}

const NAMES = Array.from({ length: 620 }, (_, index): Stored => ({ name: `run-${620 - index}` }));
const LOOKED_AT = 50;

/** Looks, as the server does, at so many for one page at most. */
function aServer(stored: Stored[] = NAMES) {
  const asked: string[] = [];
  const ask = async (path: string): Promise<never> => {
    const query = new URL(path, "http://here").searchParams;
    asked.push(query.toString());
    const from = Number(query.get("cursor") ?? 0);
    const runs: Stored[] = [];
    const unreadable: string[] = [];
    let at = from;
    for (; at < stored.length && at - from < LOOKED_AT && runs.length < Number(query.get("limit")); at += 1) {
      const run = stored[at];
      if (run?.isUnreadable) unreadable.push(run.name);
      else if (run?.name.includes(query.get("q") ?? "")) runs.push(run);
    }
    return { runs, unreadable, ...(at < stored.length ? { cursor: String(at) } : {}) } as never;
  };
  return { ask, asked };
}

const { signal } = new AbortController();
const find = (ask: Parameters<typeof findRuns>[0]["ask"], like = "", rounds = 1) =>
  findRuns({ ask, like, rounds, signal });

it("finds the latest hundred, and with each round a hundred more, each once and in their order", async () => {
  const { ask } = aServer();
  for (const rounds of [1, 2, 6]) {
    const { runs, hasMore } = await find(ask, "", rounds);
    expect(runs).toEqual(NAMES.slice(0, rounds * 100));
    expect(hasMore).toBe(true);
  }
  const all = await find(ask, "", 7);
  expect([all.runs.length, all.hasMore]).toEqual([620, false]);
});

it("searches behind pages that are empty, as far as is reasonable, and further where that is wanted", async () => {
  const { ask, asked } = aServer();
  expect(await find(ask, "run-1")).toMatchObject({ hasMore: true });
  expect(asked.length).toBe(10);
  const all = await find(ask, "run-1", 2);
  expect([all.runs.length, all.hasMore]).toEqual([111, false]);
  expect(asked[0]).toBe("limit=100&q=run-1");
});

it("reports the runs that cannot be read, on any page", async () => {
  const { ask } = aServer([
    { name: "old", isUnreadable: true },
    ...NAMES.slice(0, 60),
    { name: "older", isUnreadable: true },
  ]);
  expect((await find(ask)).unreadable).toEqual(["old", "older"]);
});

it("keeps what is known while the server is away or refuses, tries ever more slowly, and goes on", async () => {
  const { ask } = aServer();
  const failures = [undefined, new Lost("away"), new Refused(500, "Something went wrong."), undefined];
  const updates: RunList[] = [];
  const rests: number[] = [];
  const ending = new AbortController();
  let failure: Error | undefined;
  await watchRuns({
    ...{ like: "", rounds: 1, now: () => 0, signal: ending.signal },
    onUpdate: (known) => void updates.push(known),
    async ask(path) {
      if (failure) throw failure;
      return ask(path);
    },
    async pause(milliseconds) {
      rests.push(milliseconds);
      failure = failures[rests.length];
      if (rests.length === failures.length) ending.abort();
    },
  });
  expect(rests).toEqual([4_000, 1_000, 2_000, 4_000]);
  expect(updates.map(({ outage }) => outage?.message ?? outage?.tries)).toEqual([
    undefined,
    1,
    "Something went wrong.",
    undefined,
  ]);
  expect(updates.map(({ runs }) => runs?.length)).toEqual([100, undefined, undefined, 100]);
});
