/** An account with few concurrent executions: runs are computed and watched, and tasks are submitted meanwhile. */
import { createApi } from "../../lib/api/api.ts";
import type { ApiParts } from "../../lib/api/parts.ts";
import { loadRoutes } from "../../lib/api/routes.ts";
import { notReadyFor } from "../../lib/aws/evaluator-not-ready.ts";
import { createClient } from "../../lib/client/client.ts";
import { followEvents } from "../../lib/client/follow-run.ts";
import { askApi, type Send } from "../../lib/client/send.ts";
import type { World } from "../../lib/control/world.ts";
import { NotReady } from "../../lib/core/errors.ts";
import type { Evaluator } from "../../lib/core/ports.ts";
import { isEnded } from "../../lib/core/run/run.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
import { aRun } from "../../test/doubles/runs.ts";
import { createChance } from "../../test/faults/chance.ts";
import { createEventClock, type EventClock } from "./event-clock.ts";
import { createFolders } from "./folders.ts";
import { createFunctionPool, type FunctionPool, Throttled } from "./function-pool.ts";
import { createLimitedTable } from "./limited-table.ts";
import { createPlayedStack } from "./played-stack.ts";
import { createWorld } from "./simulate.ts";

export interface AccountLoad {
  executions: number;
  /** At once, each with a watcher: where one ends, the next is submitted. */
  watched: number;
  minutes: number;
  /** For how long the API holds a request for events. */
  holdSeconds: number;
}

const START = Date.parse("2026-03-01T10:00:00Z");
const LISTING_MS = 20_000;
const REQUEST_MS = 60;
const following = { after: 0, until: "over", show: () => {} } as const;
const URL_OF_API = "https://api.example";

export async function simulateAccount({ executions, watched, minutes, holdSeconds }: AccountLoad) {
  const clock = createEventClock(START);
  const random = createChance(2).share;
  const pool = createFunctionPool(executions);
  const { table } = createLimitedTable({ clock, random });
  const own = createWorld({ clock, random, files: createFolders(), table, dailyUsd: undefined });
  const world = { ...own, evaluator: inPool(own.evaluator, pool) };
  const stack = createPlayedStack({ world, clock, random, pool, onEnd: () => {} });
  // `lost`: watchers that gave up. The run goes on.
  const seen = { requests: 0, refused: 0, asked: 0, unanswered: 0, lost: 0, completed: 0, failed: 0, longestMs: 0 };
  const send = sendTo(await createPlayedApi(world, stack.commands, holdSeconds), { pool, clock, seen });
  let keys = 0;
  const newKey = (): string => {
    keys += 1;
    return `key-${keys}`;
  };
  const client = createClient({ address: { url: URL_OF_API }, send, sleep: clock.sleep, random, newKey });
  /** Undefined: the client gave up, which its user sees. */
  const asked = async <Answer>(request: () => Promise<Answer>): Promise<Answer | undefined> => {
    const began = clock.now();
    seen.asked += 1;
    try {
      return await request();
    } catch {
      seen.unanswered += 1;
      return undefined;
    } finally {
      seen.longestMs = Math.max(seen.longestMs, Math.round(clock.now() - began));
    }
  };

  async function keepWatching(): Promise<void> {
    await clock.sleep(random() * LISTING_MS);
    for (;;) {
      const submitted = await asked(() => client.submit({ task: "Write a library of small modules." }));
      if (!submitted) continue;
      const rest = (milliseconds: number): Promise<void> => clock.sleep(milliseconds);
      await followEvents(client, submitted.id, { ...following, rest }).catch(() => (seen.lost += 1));
      const run = await world.registry.run(submitted.id);
      if (run && isEnded(run.status)) seen[run.status === "completed" ? "completed" : "failed"] += 1;
    }
  }
  /** Another client, which lists the runs. */
  async function keepListing(): Promise<void> {
    for (;;) {
      await clock.sleep(LISTING_MS);
      await asked(() => client.runs({ atMost: 10 }));
    }
  }
  const until = START + minutes * 60_000;
  clock.stopAt(until);
  const broken = Promise.all([...Array.from({ length: watched }, keepWatching), keepListing()]);
  await Promise.race([clock.sleep(until - START), broken]);
  return { ...seen, busiest: pool.busiest() };
}

/** As the adapter of Lambda says it. */
const inPool = (evaluator: Evaluator, pool: FunctionPool): Evaluator => ({
  evaluate: (request, signal) =>
    pool
      .run(() => evaluator.evaluate(request, signal))
      .catch((error: unknown) => {
        const wait = error instanceof Throttled && notReadyFor({ name: "TooManyRequestsException" });
        throw wait ? new NotReady(wait.why, wait.afterMs) : error;
      }),
});

type Requests = Record<"requests" | "refused", number>;

/** API Gateway answers 500 where Lambda refuses the call. */
const sendTo =
  (api: ReturnType<typeof createApi>, parts: { pool: FunctionPool; clock: EventClock; seen: Requests }): Send =>
  async (sending) => {
    const { pool, clock, seen } = parts;
    seen.requests += 1;
    try {
      return await pool.run(async () => {
        await clock.sleep(REQUEST_MS);
        return askApi(api, sending, { caller: "ada", requestId: "request", baseUrl: URL_OF_API });
      });
    } catch (error) {
      if (!(error instanceof Throttled)) throw error;
      seen.refused += 1;
      return { status: 500, headers: new Headers(), bytes: new Uint8Array() };
    }
  };

async function createPlayedApi(world: World, runs: ApiParts["runs"], longestWaitSeconds: number) {
  const packs = await builtInPacks();
  // Virtual time waits for no file that is read: what requests would load late is loaded before.
  await loadRoutes();
  const profile = { ...aRun().profile, price: { input: 1, output: 5 } };
  return createApi({
    ...world,
    runs,
    models: { choose: async () => ({ profile, server: {} }), missingKey: async () => undefined },
    packs: async (domain) => packs[domain],
    links: { get: async (key) => `https://links.example/${key}` },
    settings: { defaults: { reflect: 0 }, install: false, longestWaitSeconds, isPaced: longestWaitSeconds === 0 },
    onFailure: (error) => {
      throw error;
    },
  });
}

export type Account = Awaited<ReturnType<typeof simulateAccount>>;
