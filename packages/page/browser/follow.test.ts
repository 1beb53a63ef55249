import { expect, it } from "vitest";
import { Lost, Refused } from "./failures.ts";
import { follow, type RunUpdate } from "./follow.ts";

const turn = (number: number) => ({ instruction: 1, turn: number, state: "committed" });

/** A run with one event per turn; `fails` decides by the number of the request. */
function aRun(fails: (asked: number, path: string) => Error | undefined, more: { showsAnswers?: boolean } = {}) {
  const state = { turns: 2, status: "running" };
  const asked: string[] = [];
  const updates: RunUpdate[] = [];
  const rests: number[] = [];
  const ending = new AbortController();
  const answers: Record<string, (query: URLSearchParams) => unknown> = {
    "": () => ({ id: "R", status: state.status, events: state.turns, options: {}, packed: 0 }),
    "/program": () => ({ instructions: [], requirements: [] }),
    "/turns": (query) => ({ turns: turnsAfter(state.turns, Number((query.get("after") ?? "1.0").split(".")[1])) }),
    "/events": (query) => {
      const after = Number(query.get("after"));
      const events = turnsAfter(state.turns, after).map((each) => ({
        type: "turn",
        at: `${each.turn}`,
        seq: each.turn,
      }));
      const underway = query.get("written") === "0" ? { instruction: 1, turn: 9, characters: 814 } : undefined;
      const over = state.status === "completed";
      return { events, next: state.turns, status: state.status, over, ...(underway ? { underway } : {}) };
    },
  };
  const run = (rounds: number) =>
    follow({
      ...more,
      id: "R",
      signal: ending.signal,
      now: () => rests.reduce((sum, rest) => sum + rest, 0),
      onUpdate: (update) => void updates.push(update),
      async pause(milliseconds) {
        rests.push(milliseconds);
        if (rests.length === 1 || rests.length === 3) state.turns += 1;
        if (rests.length === rounds) ending.abort();
      },
      async ask(path) {
        const [route = "", query] = path.replace("/runs/R", "").split("?");
        asked.push(path.replace("/runs/R", ""));
        const failure = fails(asked.length, route);
        if (failure) throw failure;
        return answers[route]?.(new URLSearchParams(query)) as never;
      },
    });
  const latest = (): RunUpdate => Object.assign({}, ...updates);
  return { run, asked, updates, rests, state, latest };
}

const turnsAfter = (count: number, after: number) =>
  Array.from({ length: Math.max(0, count - after) }, (_, index) => turn(after + index + 1));

const KINDS = [new Lost("away"), ...[429, 500, 502, 503, 504, 403].map((status) => new Refused(status, "busy"))];

it("asks for a run, then for its events from there on, and for what an event may have changed", async () => {
  const { run, asked, latest } = aRun(() => undefined);
  await run(4);
  expect(asked).toEqual([
    ...["", "/program", "/turns?limit=1000", "/events?after=2&wait=20"],
    ...["", "/turns?limit=1000&after=1.2", "/events?after=3&wait=20"],
  ]);
  expect(latest().turns).toEqual([turn(1), turn(2), turn(3)]);
});

it.each(KINDS)(
  "is up to date again after any failed answer, with nothing missing and nothing twice: %s",
  async (error) => {
    for (let failing = 1; failing <= 10; failing += 1) {
      const { run, latest, rests, updates } = aRun((number) => (number === failing ? error : undefined));
      await run(12);
      expect(latest().turns).toEqual([turn(1), turn(2), turn(3), turn(4)]);
      expect(updates.filter(({ outage }) => outage)).toHaveLength(1);
      expect(latest().outage).toBeUndefined();
      expect(rests.filter((rest) => rest === 1_000)).toHaveLength(1);
    }
  },
);

it("asks ever more slowly while one of the answers keeps failing, and says why, until it comes", async () => {
  const isDown = (number: number) => number > 3 && number < 16;
  const { run, rests, updates, latest } = aRun((number, route) =>
    route === "/events" && isDown(number) ? new Refused(500, "Something went wrong.") : undefined,
  );
  await run(12);
  expect(rests.filter((rest) => rest >= 1_000)).toEqual([1_000, 2_000, 4_000]);
  expect(new Set(updates.flatMap(({ outage }) => outage?.message ?? []))).toEqual(new Set(["Something went wrong."]));
  expect(latest().outage).toBeUndefined();
});

it("keeps its place among the events when an answer fails", async () => {
  const { run, asked } = aRun((number) => (number === 4 ? new Lost("away") : undefined));
  await run(4);
  expect(asked.filter((path) => path.startsWith("/events"))).toEqual([
    "/events?after=2&wait=20",
    "/events?after=2&wait=0",
  ]);
});

it("ends where there is no such run any more", async () => {
  const { run, latest, rests } = aRun((number) => (number > 4 ? new Refused(404, "No such run.") : undefined));
  await run(9);
  expect(latest().gone).toBe(true);
  expect(rests).toHaveLength(2);
});

it("shows how much of an answer has arrived, and asks for more than that", async () => {
  const { run, asked, updates } = aRun(() => undefined, { showsAnswers: true });
  await run(4);
  expect(asked.filter((path) => path.startsWith("/events"))).toEqual([
    "/events?after=2&wait=20&written=0",
    "/events?after=3&wait=20&written=0",
  ]);
  expect(updates.flatMap(({ underway }) => underway?.characters ?? [])).toEqual([814, 814]);
});
