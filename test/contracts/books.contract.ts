/** The books of a day, as every registry must keep them: what all runs spend, in the transaction of the run that spends it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Fenced } from "../../lib/core/errors.ts";
import type { Table } from "../../lib/core/ports.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { readLedger } from "../../lib/registry/daily-ledger.ts";
import { chargeLostReservation, lostReservationEvents } from "../../lib/registry/lost-reservation.ts";
import { createRegistry, type Registry } from "../../lib/registry/registry.ts";
import { type FakeClock, fakeClock } from "../doubles/fake-clock.ts";
import { aRun } from "../doubles/runs.ts";

export function describeBooks(name: string, open: () => Promise<{ table: Table; close(): Promise<void> }>): void {
  describe(`the books of a day on ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let registry: Registry;
    let clock: FakeClock;

    beforeEach(async () => {
      opened = await open();
      clock = fakeClock(Date.parse("2026-03-01T23:00:00Z"));
      registry = createRegistry({ table: opened.table, clock });
    });
    afterEach(() => opened.close());

    async function claimed(id: string): Promise<Run> {
      const created = await registry.create(aRun({ id }));
      if ("conflict" in created) throw new Error("conflict");
      await registry.beginEpoch(created.run, { status: "running", instructions: 3, pc: 1, packed: 0 });
      return registry.claim(id, 1);
    }
    const inFlight = async (id: string, microUsd: number): Promise<Run> => reserved(await claimed(id), microUsd);
    /** Under a ceiling that is far away, on a day that is too small for leases. */
    async function reserved(run: Run, microUsd: number, limit = 5_000): Promise<Run> {
      const after = await registry.reserveToday(run, { microUsd, tokens: 1 }, within(limit));
      if (!after) throw new Error("The day has no room.");
      return after;
    }
    const settled = (run: Run, microUsd: number): Promise<Run> =>
      registry.commit(run, { run: { microUsd: run.microUsd + microUsd, reservedMicroUsd: 0, reservedTokens: 0 } });
    const within = (dailyMicroUsd: number) => ({ invocationMs: 1_000, dailyMicroUsd });
    const dayOf = (date: string) => readLedger(opened.table, Date.parse(date));

    it("begin at nothing, take a reservation at once, and give back what a call did not cost", async () => {
      expect(await registry.today()).toEqual({ microUsd: 0, reservedMicroUsd: 0 });
      const one = await inFlight("01ONE", 700);
      const other = await inFlight("01OTHER", 300);
      expect(await registry.today()).toEqual({ microUsd: 1_000, reservedMicroUsd: 1_000 });
      await settled(one, 400);
      expect(await registry.today()).toEqual({ microUsd: 700, reservedMicroUsd: 300 });
      await settled(other, 0);
      expect(await registry.today()).toEqual({ microUsd: 400, reservedMicroUsd: 0 });
    });

    it("take the true amount where the provider charged more than was reserved", async () => {
      await settled(await inFlight("01ONE", 700), 900);
      expect(await registry.today()).toEqual({ microUsd: 900, reservedMicroUsd: 0 });
    });

    it("keep what a dead attempt had reserved, and hold it as in flight no longer", async () => {
      const zombie = await inFlight("01ONE", 700);
      await registry.claim(zombie.id, 1);
      expect(await registry.today()).toEqual({ microUsd: 700, reservedMicroUsd: 0 });
      await expect(settled(zombie, 10)).rejects.toThrow(Fenced);
      expect(await registry.today()).toEqual({ microUsd: 700, reservedMicroUsd: 0 });
    });

    it("keep it too where a run is stopped from outside, unless its accounts moved on meanwhile", async () => {
      const run = await inFlight("01ONE", 700);
      const before = await registry.run(run.id);
      await settled(run, 400);
      const stale =
        before && (await registry.beginEpoch(before, chargeLostReservation(before), lostReservationEvents(before)));
      expect(stale).toBeUndefined();
      const now = await reserved((await registry.run(run.id)) ?? run, 50);
      expect(await registry.beginEpoch(now, chargeLostReservation(now), lostReservationEvents(now))).toMatchObject({
        microUsd: 450,
      });
      expect(await registry.today()).toEqual({ microUsd: 450, reservedMicroUsd: 0 });
    });

    it("settle a call on the day on which it was reserved, though midnight came in between", async () => {
      const one = await inFlight("01ONE", 700);
      const dead = await inFlight("01DEAD", 200);
      clock.advance(2 * 3_600_000);
      const after = await settled(one, 400);
      await registry.claim(dead.id, 1);
      expect(await dayOf("2026-03-01")).toMatchObject({ microUsd: 600, reservedMicroUsd: 0 });
      expect(await registry.today()).toEqual({ microUsd: 0, reservedMicroUsd: 0 });
      await reserved(after, 30);
      expect(await dayOf("2026-03-02")).toMatchObject({ microUsd: 30, reservedMicroUsd: 30 });
      expect(await dayOf("2026-03-01")).toMatchObject({ microUsd: 600, reservedMicroUsd: 0 });
    });

    it("refuse what passes the ceiling in the write itself: the last of it goes to one of two who both saw room", async () => {
      const [one, other] = [await claimed("01ONE"), await claimed("01OTHER")];
      const both = await Promise.all(
        [one, other].map((run) => registry.reserveToday(run, { microUsd: 600, tokens: 1 }, within(1_000))),
      );
      expect(both.filter((run) => run !== undefined)).toHaveLength(1);
      expect(await registry.today()).toEqual({ microUsd: 600, reservedMicroUsd: 600 });
      const loser = both[0] ? other : one;
      expect(await registry.run(loser.id)).toMatchObject({ reservedMicroUsd: 0 });
      expect(await registry.reserveToday(loser, { microUsd: 401, tokens: 1 }, within(1_000))).toBeUndefined();
      expect(await registry.reserveToday(loser, { microUsd: 400, tokens: 1 }, within(1_000))).toBeDefined();
      expect(await registry.today()).toMatchObject({ microUsd: 1_000 });
    });

    it("a reservation under the ceiling is fenced like every other, and a first one above it opens no hole", async () => {
      const zombie = await claimed("01ONE");
      await registry.claim(zombie.id, 1);
      await expect(registry.reserveToday(zombie, { microUsd: 1, tokens: 1 }, within(10))).rejects.toThrow(Fenced);
      const run = await claimed("01OTHER");
      expect(await registry.reserveToday(run, { microUsd: 11, tokens: 1 }, within(10))).toBeUndefined();
      expect(await registry.today()).toEqual({ microUsd: 0, reservedMicroUsd: 0 });
    });

    it("take no write where no ceiling is set, even of a run that had one before", async () => {
      const before = await settled(await inFlight("01ONE", 10), 5);
      const after = await registry.reserve(before, { microUsd: 700, tokens: 1 }, 1_000);
      expect(after).not.toHaveProperty("reservedOn");
      await settled(after, 600);
      await registry.reserve(await claimed("01OTHER"), { microUsd: 700, tokens: 1 }, 1_000);
      await registry.claim("01OTHER", 1);
      expect(await dayOf("2026-03-01")).toEqual({ microUsd: 5, reservedMicroUsd: 0 });
    });

    it("settle what an earlier version reserved in the one item that it had, and count that item", async () => {
      const day = { pk: "DAY#2026-03-01", sk: "META" };
      await opened.table.transact([{ put: { ...day, microUsd: 700, reservedMicroUsd: 500 } }]);
      const old = await registry.change(await claimed("01ONE"), { reservedMicroUsd: 500, reservedTokens: 1 });
      const { pk, sk } = { pk: "RUN#01ONE", sk: "META" };
      await opened.table.transact([{ update: { pk, sk }, set: { reservedOn: "2026-03-01" } }]);
      const run = await registry.claim(old?.id ?? "", 1);
      expect(await opened.table.get(day)).toMatchObject({ microUsd: 700, reservedMicroUsd: 0 });
      expect(await registry.reserveToday(run, { microUsd: 301, tokens: 1 }, within(1_000))).toBeUndefined();
      expect(await registry.reserveToday(run, { microUsd: 300, tokens: 1 }, within(1_000))).toBeDefined();
      expect(await registry.today()).toEqual({ microUsd: 1_000, reservedMicroUsd: 300 });
    });

    it("follow a ceiling that is raised or lowered in the middle of the day", async () => {
      const run = async (id: string, microUsd: number, limit: number) =>
        (await registry.reserveToday(await claimed(id), { microUsd, tokens: 1 }, within(limit))) !== undefined;
      expect(await run("01A", 900, 1_000)).toBe(true);
      expect(await run("01B", 200, 1_000)).toBe(false);
      expect(await run("01C", 200, 2_000)).toBe(true);
      expect(await run("01D", 101, 1_200)).toBe(false);
      expect(await run("01E", 100, 1_200)).toBe(true);
      expect(await run("01F", 1, 1_200)).toBe(false);
      expect(await run("01G", 800, 2_000)).toBe(true);
      expect(await registry.today()).toMatchObject({ microUsd: 2_000 });
    });

    it("are never above the ceiling, and find its last room, with many runs at once", async () => {
      const runs = await Promise.all(Array.from({ length: 60 }, (_, index) => claimed(`01RUN${index}`)));
      const limit = 10_000;
      const peaks: number[] = [];
      await Promise.all(
        runs.map(async (run, index) => {
          const microUsd = 100 + (index % 7) * 50;
          let mine: Run | undefined = run;
          for (let call = 0; call < 3 && mine; call += 1) {
            mine = await registry.reserveToday(mine, { microUsd, tokens: 1 }, within(limit));
            peaks.push((await registry.today()).microUsd);
            mine = mine && (await settled(mine, Math.floor(microUsd / 2)));
          }
        }),
      );
      expect(Math.max(...peaks)).toBeLessThanOrEqual(limit);
      const { microUsd, reservedMicroUsd } = await registry.today();
      expect(reservedMicroUsd).toBe(0);
      const spent = (await Promise.all(runs.map(({ id }) => registry.run(id)))).map((run) => run?.microUsd ?? 0);
      expect(spent.reduce((sum, each) => sum + each, 0)).toBe(microUsd);
      const last = await claimed("01LAST");
      expect(await registry.reserveToday(last, { microUsd: limit - microUsd, tokens: 1 }, within(limit))).toBeDefined();
      expect(await registry.today()).toMatchObject({ microUsd: limit });
    });

    describe("of a large day", () => {
      const LARGE = 10_000_000;
      const call = async (run: Run, microUsd: number, cost: number): Promise<Run> =>
        settled(await reserved(run, microUsd, LARGE), cost);
      // The first call of a day makes its shards.
      beforeEach(async () => void (await call(await claimed("01FIRST"), 1, 0)));

      it("lease a run more than its call may cost, and do not change while it spends that", async () => {
        let run = await call(await claimed("01ONE"), 700, 500);
        expect(run).toMatchObject({ lease: { microUsd: 2_800, from: 0, limitMicroUsd: LARGE } });
        const leased = { microUsd: 2_800, reservedMicroUsd: 2_800 };
        for (let calls = 1; calls < 5; calls += 1) {
          expect(await registry.today()).toEqual(leased);
          run = await call(run, 700, 500);
        }
        // 2,500 are spent, and the next call could cost more than what is left: another lease takes its place.
        expect(await registry.today()).toEqual(leased);
        await call(run, 700, 100);
        expect(await registry.today()).toEqual({ microUsd: 2_500 + 2_800, reservedMicroUsd: 2_800 });
      });

      it.each([
        ["waits", { status: "waiting", reason: "rate_limited" }],
        ["ends", { status: "completed" }],
      ] as const)("get back what is left when the run %s", async (_, set) => {
        const run = await call(await claimed("01ONE"), 700, 500);
        const after = await registry.commit(run, { run: set });
        expect(after).not.toHaveProperty("lease");
        expect(await registry.run(run.id)).not.toHaveProperty("lease");
        expect(await registry.today()).toEqual({ microUsd: 500, reservedMicroUsd: 0 });
      });

      it("get back what is left when the run is stopped from outside, with the call in flight as spent", async () => {
        const run = await reserved(await call(await claimed("01ONE"), 700, 500), 600, LARGE);
        const stopped = { ...chargeLostReservation(run), status: "waiting", reason: "interrupted" } as const;
        const before = await registry.run(run.id);
        await settled(run, 100);
        expect(before && (await registry.beginEpoch(before, stopped))).toBeUndefined();
        const now = await reserved((await registry.run(run.id)) ?? run, 300, LARGE);
        const charged = { ...chargeLostReservation(now), status: "waiting", reason: "interrupted" } as const;
        expect(await registry.beginEpoch(now, charged)).toMatchObject({ microUsd: 900 });
        expect(await registry.today()).toEqual({ microUsd: 900, reservedMicroUsd: 0 });
      });

      it("keep the lease of a dead attempt for the next, which counts the call in flight as spent", async () => {
        const zombie = await reserved(await claimed("01ONE"), 700, LARGE);
        const run = await registry.claim(zombie.id, 1);
        await expect(settled(zombie, 10)).rejects.toThrow(Fenced);
        expect(await registry.today()).toEqual({ microUsd: 2_800, reservedMicroUsd: 2_800 });
        const ended = await registry.commit(await call(run, 700, 50), { run: { status: "failed" } });
        expect(ended).toMatchObject({ microUsd: 750 });
        expect(await registry.today()).toEqual({ microUsd: 750, reservedMicroUsd: 0 });
      });

      it("take the true amount of a call that cost more than the lease had", async () => {
        const run = await settled(await reserved(await claimed("01ONE"), 700, LARGE), 3_000);
        expect(run).not.toHaveProperty("lease");
        expect(await registry.today()).toEqual({ microUsd: 3_000, reservedMicroUsd: 0 });
      });

      it("get back yesterday's lease with the first call of the next day", async () => {
        const run = await call(await claimed("01ONE"), 700, 500);
        clock.advance(2 * 3_600_000);
        const after = await reserved(run, 700, LARGE);
        expect(after).not.toHaveProperty("lease");
        expect(await dayOf("2026-03-01")).toEqual({ microUsd: 500, reservedMicroUsd: 0 });
        expect(await dayOf("2026-03-02")).toEqual({ microUsd: 700, reservedMicroUsd: 700 });
      });

      it("get it back with the first call without a ceiling, and let none be made under a lower one", async () => {
        const one = await call(await claimed("01ONE"), 700, 500);
        const other = await call(await claimed("01OTHER"), 700, 500);
        expect(await registry.reserveToday(other, { microUsd: 700, tokens: 1 }, within(1_000))).toBeUndefined();
        const free = await registry.reserve(one, { microUsd: 700, tokens: 1 }, 1_000);
        expect(free).not.toHaveProperty("lease");
        expect(await registry.today()).toEqual({ microUsd: 500 + 2_800, reservedMicroUsd: 2_800 });
      });

      it("are never above the ceiling, and find its last room, with many leases at once", async () => {
        const runs = await Promise.all(Array.from({ length: 30 }, (_, index) => claimed(`01RUN${index}`)));
        const limit = 400_000;
        const large = createRegistry({ ...opened, clock, leasing: { calls: 4, perDay: 16, perShard: 1 } });
        await large.reserveToday(await claimed("01NOTHING"), { microUsd: 0, tokens: 1 }, within(limit));
        let most = 0;
        let leases = 0;
        const ended = await Promise.all(
          runs.map(async (run, index) => {
            let mine = run;
            for (let calls = 0; calls < 12; calls += 1) {
              const microUsd = 1_000 + (index % 7) * 90;
              const next = await large.reserveToday(mine, { microUsd, tokens: 1 }, within(limit));
              most = Math.max(most, (await registry.today()).microUsd);
              if (!next) break;
              if (next.lease) leases += 1;
              mine = await settled(next, Math.floor(microUsd * 0.9));
            }
            return registry.commit(mine, { run: { status: "partial" } });
          }),
        );
        expect(most).toBeLessThanOrEqual(limit);
        expect(leases).toBeGreaterThan(50);
        const spent = ended.reduce((sum, { microUsd }) => sum + microUsd, 0);
        expect(await registry.today()).toEqual({ microUsd: spent, reservedMicroUsd: 0 });
        const last = await claimed("01LAST");
        const rest = { microUsd: limit - spent, tokens: 1 };
        expect(await registry.reserveToday(last, rest, within(limit))).toBeDefined();
        expect((await registry.today()).microUsd).toBe(limit);
      });
    });

    it("are left alone by calls that cost nothing", async () => {
      await settled(await registry.reserve(await claimed("01ONE"), { microUsd: 0, tokens: 1 }, 1_000), 0);
      expect(await dayOf("2026-03-01")).toEqual({ microUsd: 0, reservedMicroUsd: 0 });
    });

    it("know nothing of a reservation that was made before there were any", async () => {
      const run = await claimed("01ONE");
      const old = await registry.change(run, { reservedMicroUsd: 500, reservedTokens: 1 });
      if (!old) throw new Error("not changed");
      await registry.claim(old.id, 1);
      expect(await dayOf("2026-03-01")).toEqual({ microUsd: 0, reservedMicroUsd: 0 });
    });
  });
}
