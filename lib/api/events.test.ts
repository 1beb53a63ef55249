/** Waiting for events: a request is held until an event comes, its time is over, or no event can come. */
import { beforeEach, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../../test/doubles/fake-clock.ts";
import { aRun } from "../../test/doubles/runs.ts";
import type { AnswerUnderway } from "../core/ports.ts";
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import type { RouteCall } from "./route.ts";
import { events } from "./routes/events.ts";

const id = "01M7YVNZYAJ2Z5GBS6FBWX9QJ3";
const notice: Event = { type: "notice", text: "Something happened.", seq: 8, at: "2026-01-01T00:00:00.000Z" };

let clock: FakeClock;
let looks: number;
beforeEach(() => {
  clock = fakeClock();
  looks = 0;
});

interface Over {
  run?: Partial<Run>;
  atLook?: number;
  longest?: number;
  isPaced?: boolean;
  found?: Event[];
  underway?: (looks: number) => AnswerUnderway | undefined;
}

/** The events are there from the given look on. */
function ask(query: { wait: number; written?: number }, over: Over = {}) {
  const { atLook = Number.POSITIVE_INFINITY, longest = 20, isPaced = false, found = [notice] } = over;
  const registry = {
    run: async () => aRun({ id, status: "running", ...over.run }),
    events: async () => {
      looks += 1;
      return looks >= atLook ? found : [];
    },
  };
  const answerUnderway = over.underway && (() => over.underway?.(looks));
  const parts = { clock, registry, settings: { longestWaitSeconds: longest, isPaced }, answerUnderway };
  return events.handle({
    parts,
    context: { caller: "local", requestId: "r", baseUrl: "" },
    params: { id },
    query: { after: 7, ...query },
    signal: new AbortController().signal,
  } as unknown as RouteCall);
}

const total = (): number => clock.slept.reduce((sum, each) => sum + each, 0);

it("answers as soon as there is one, and looks four times a second", async () => {
  expect(await ask({ wait: 20 }, { atLook: 5 })).toMatchObject({ json: { events: [notice], next: 8 } });
  expect(clock.slept).toEqual([250, 250, 250, 250]);
});

it("answers with no events after the requested time, and with the number to continue from", async () => {
  expect(await ask({ wait: 2 })).toMatchObject({ json: { events: [], next: 7, status: "running" } });
  expect(total()).toBe(2_000);
});

it("holds no request longer than the server can", async () => {
  await ask({ wait: 20 }, { longest: 5 });
  expect(total()).toBe(5_000);
});

it("does not wait unless requested, or if no event can come", async () => {
  await ask({ wait: 0 });
  await ask({ wait: 20 }, { run: { status: "completed" } });
  await ask({ wait: 20 }, { run: { status: "waiting", reason: "interrupted" } });
  expect(total()).toBe(0);
});

it("waits on while a run sleeps until its model server takes calls again", async () => {
  await ask({ wait: 20 }, { run: { status: "waiting", reason: "rate_limited" }, atLook: 3 });
  expect(total()).toBe(500);
});

it("reports the end only when the run does not move and every event was answered", async () => {
  const eventsUpTo = (count: number): Event[] => Array.from({ length: count }, (_, at) => ({ ...notice, seq: 8 + at }));
  const over = async (status: Run["status"], count: number) => {
    const { json } = (await ask({ wait: 0 }, { run: { status }, atLook: 1, found: eventsUpTo(count) })) as {
      json: { over: boolean };
    };
    return json.over;
  };
  expect([await over("completed", 0), await over("completed", 199)]).toEqual([true, true]);
  // As many as one answer holds: there may be others.
  expect(await over("completed", 200)).toBe(false);
  expect(await over("running", 1)).toBe(false);
});

const written = (characters: number): AnswerUnderway => ({ instruction: 2, turn: 3, characters });

it("answers when a model has written more than is known, and when its answer is whole", async () => {
  const underway = (look: number) => (look < 3 ? written(400) : written(900));
  expect(await ask({ wait: 20, written: 400 }, { underway })).toMatchObject({ json: { underway: written(900) } });
  looks = 0;
  const { json } = (await ask(
    { wait: 20, written: 900 },
    { underway: (look) => (look < 3 ? written(900) : undefined) },
  )) as {
    json: object;
  };
  expect(json).toMatchObject({ events: [], next: 7 });
  expect(json).not.toHaveProperty("underway");
  expect(total()).toBe(1_000);
});

it("waits for events alone where the request knows of no answer", async () => {
  await ask({ wait: 2 }, { underway: (look) => written(look) });
  expect(total()).toBe(2_000);
});

it("asks watchers to come again where it holds no request: sooner while events arrive, and at the start", async () => {
  const NOW = clock.now();
  const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1_000).toISOString();
  const paced = async (run: Partial<Run>, over: Over = {}) =>
    ((await ask({ wait: 20 }, { longest: 0, isPaced: true, ...over, run })) as { json: object }).json;
  expect(await paced({ createdAt: at(10), updatedAt: at(9) })).toMatchObject({ pollSeconds: 1 });
  expect(await paced({ createdAt: at(500), updatedAt: at(1) }, { atLook: 1 })).toMatchObject({ pollSeconds: 3 });
  expect(await paced({ createdAt: at(500), updatedAt: at(20) })).toMatchObject({ pollSeconds: 10 });
  expect(await paced({ status: "completed" })).not.toHaveProperty("pollSeconds");
  const full = Array.from({ length: 200 }, (_, index) => ({ ...notice, seq: 8 + index }));
  expect(await paced({}, { atLook: 1, found: full })).not.toHaveProperty("pollSeconds");
  expect(total()).toBe(0);
});
