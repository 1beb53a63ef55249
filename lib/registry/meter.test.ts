import { afterEach, describe, expect, it } from "vitest";
import { fakeClock } from "../../test/doubles/fake-clock.ts";
import { aRun } from "../../test/doubles/runs.ts";
import { openSqliteTable } from "../host/sqlite-table.ts";
import { meter } from "./meter.ts";
import { createRegistry } from "./registry.ts";

const table = openSqliteTable(":memory:");
afterEach(() => table.close());

describe("a meter", () => {
  it("counts what is committed as spent, once, and nothing that was refused", async () => {
    const { registry, take } = meter(createRegistry({ table, clock: fakeClock() }));
    const created = await registry.create(aRun());
    if ("run" in created) await registry.beginEpoch(created.run, {});
    const run = await registry.claim("01TESTRUN", 1);
    const one = await registry.commit(run, { run: { microUsd: run.microUsd + 300 } });
    await registry.commit(one, { run: { microUsd: one.microUsd + 40 } });
    await registry.commit({ ...one, microUsd: 340 }, { run: { status: "running" } });
    await registry.claim("01TESTRUN", 1);
    await expect(registry.commit(one, { run: { microUsd: 9_000 } })).rejects.toThrow();
    expect([take(), take()]).toEqual([340, 0]);
  });
});
