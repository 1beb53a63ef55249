import { afterEach, expect, it } from "vitest";
import type { World } from "../lib/control/world.ts";
import { readProjectFont } from "../lib/files/project-fonts.ts";
import { createRegistry } from "../lib/registry/registry.ts";
import { nothingToCheck } from "../test/doubles/machines.ts";
import { lastingStorage } from "../test/doubles/mortal-storage.ts";
import { aRun } from "../test/doubles/runs.ts";
import { wrapStorage } from "../test/doubles/wrapped-storage.ts";
import { createVirtualClock } from "../test/virtual-clock.ts";
import { createSweep } from "./sweep.ts";

const RUNS = 1_000;
const CALL_MS = 20;
/** What Step Functions grants to DescribeExecution in most regions. */
const QUOTA = { bucket: 250, perSecond: 10 };
const CALL_LIMIT_MS = 4 * 60_000;

const { table, files } = lastingStorage();
afterEach(() => table.close());

it("repairs a thousand runs that died at once within five minutes, in one call, and within the quotas", async () => {
  const clock = createVirtualClock(Date.parse("2026-03-01T12:00:00Z"));
  const near = createRegistry({ table, clock });
  const ids = Array.from({ length: RUNS }, (_, index) => `01DEAD${index}`);
  for (const id of ids) {
    const created = await near.create(aRun({ id }));
    if ("run" in created) await near.beginEpoch(created.run, {});
  }
  await clock.sleep(3_600_000);
  const slow = wrapStorage({ table, files }, (call) => async (...given) => {
    await clock.sleep(CALL_MS);
    return call(...given);
  });
  const asked: number[] = [];
  const started = new Set<string>();
  const failures: unknown[] = [];
  const began = clock.now();
  const world: World = {
    files: slow.files,
    registry: createRegistry({ table: slow.table, clock }),
    clock,
    random: () => 0.5,
    model: () => Promise.reject(new Error("no model is asked")),
    evaluator: nothingToCheck,
    readFont: readProjectFont,
  };
  const sweep = createSweep({
    world,
    executions: {
      start: async (id) => {
        await clock.sleep(CALL_MS);
        started.add(id);
      },
      find: async (id) => {
        await clock.sleep(CALL_MS);
        asked.push(clock.now());
        if (asked.length > QUOTA.bucket + (QUOTA.perSecond * (clock.now() - began)) / 1_000)
          throw new Error("throttled");
        // Every third execution failed, and its run is recorded with a report.
        return Number(id.slice(6)) % 3 === 0 ? "failed" : "absent";
      },
    },
    onFailure: (_id, error) => failures.push(error),
  });
  const swept = await sweep({
    remainingMs: () => CALL_LIMIT_MS - (clock.now() - began),
    signal: new AbortController().signal,
  });
  expect(failures).toEqual([]);
  expect(swept).toEqual({ started: 666, extended: 0, recorded: 334, deleted: 0, failed: 0 });
  expect(started.size).toBe(666);
  expect(clock.now() - began).toBeLessThan(5 * 60_000);
  const upTo = new Date(clock.now()).toISOString();
  expect(await near.overdue({ upTo, limit: RUNS })).toEqual([]);
});
