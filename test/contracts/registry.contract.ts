/** The protocol of turns, attempts and epochs, as every registry must keep it, whatever table is under it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cancelled, Fenced } from "../../lib/core/errors.ts";
import type { Table } from "../../lib/core/ports.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { Turn } from "../../lib/core/turn/turn.ts";
import type { EntryChange } from "../../lib/registry/commit.ts";
import { createRegistry, type Registry } from "../../lib/registry/registry.ts";
import { fakeClock } from "../doubles/fake-clock.ts";
import { aRun } from "../doubles/runs.ts";
import { describeBooks } from "./books.contract.ts";

export function describeRegistry(name: string, open: () => Promise<{ table: Table; close(): Promise<void> }>): void {
  describeBooks(name, open);
  describe(`the registry on ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let registry: Registry;
    const clock = fakeClock();

    beforeEach(async () => {
      opened = await open();
      registry = createRegistry({ table: opened.table, clock });
    });
    afterEach(() => opened.close());

    async function started(over: Partial<Run> = {}): Promise<Run> {
      const created = await registry.create(aRun(over));
      if ("conflict" in created) throw new Error("conflict");
      const ready = await registry.beginEpoch(created.run, { status: "running", instructions: 3, pc: 1, packed: 0 });
      if (!ready) throw new Error("not ready");
      return ready;
    }
    const claimed = async (over: Partial<Run> = {}): Promise<Run> => {
      const run = await started(over);
      return registry.claim(run.id, run.epoch);
    };
    /** A registry that reads an item, and then the other does something, before it goes on. */
    const interruptedBy = (other: () => Promise<unknown>): Registry => {
      let done = false;
      const get: Table["get"] = async (key) => {
        const item = await opened.table.get(key);
        if (!done) {
          done = true;
          await other();
        }
        return item;
      };
      return createRegistry({ table: { ...opened.table, get }, clock });
    };

    it("is not held up by runs that it cannot read, and names them to their owner", async () => {
      for (const id of ["01A", "01B", "01C"]) {
        await registry.create(aRun({ id, createdAt: `2026-01-0${id === "01A" ? 1 : 2}T00:00:00.000Z` }));
        clock.advance(1);
      }
      for (const id of ["01B", "01C"]) {
        const item = await opened.table.get({ pk: `RUN#${id}`, sk: "META" });
        if (item) await opened.table.transact([{ put: { ...item, format: 99, dueAt: "2000-01-01T00:00:00.000Z" } }]);
      }
      const upTo = new Date(clock.now() + 600_000).toISOString();
      expect(await registry.overdue({ upTo, limit: 1 })).toEqual(["01A"]);
      const { runs, unreadable = [] } = await registry.runs({ owner: "local", limit: 1 });
      expect(runs.map(({ id }) => id)).toEqual(["01A"]);
      expect(unreadable.toSorted()).toEqual(["01B", "01C"]);
    });

    describe("deletion", () => {
      const always = () => true;
      const idempotency = { caller: "me", key: "k", bodyHash: "h" };
      const created = async (id: string) => registry.create(aRun({ id }), idempotency);
      const begun = async (id = "01TESTRUN"): Promise<Run> => {
        const run = await registry.run(id);
        const marked = run && (await registry.beginDeletion(run));
        if (!marked) throw new Error("not marked");
        return marked;
      };

      it("once marked, the run is hidden, and its computing process is fenced", async () => {
        const alive = await claimed();
        await started({ id: "01OTHER", createdAt: "2025-01-01T00:00:00.000Z" });
        await begun();
        expect(await registry.run(alive.id)).toBeUndefined();
        await expect(registry.commit(alive, {})).rejects.toThrow(Fenced);
        await expect(registry.claim(alive.id, 2)).rejects.toThrow(Fenced);
        // The latest is being deleted: a page is not empty for that.
        const { runs } = await registry.runs({ owner: "local", limit: 1 });
        expect(runs.map(({ id }) => id)).toEqual(["01OTHER"]);
      });

      it("is refused where the run moved on meanwhile", async () => {
        const run = await started();
        await registry.change(run, { cancelRequested: true }, [{ type: "notice", text: "x" }]);
        expect(await registry.beginDeletion(run)).toBeUndefined();
      });

      it("removes every item of the run and of no other, in as many goes as it takes, and is found until it is done", async () => {
        const run = await started();
        const other = await started({ id: "01OTHER" });
        const entry = { path: "a", sha256: "s", bytes: 1, lines: 1, instruction: 0, turn: 0 };
        const many = Array.from({ length: 250 }, (_, n) => ({ folded: `f${n}`, entry: { ...entry, path: `f${n}` } }));
        for (const id of ["01LOADED"]) {
          const created = await registry.create(aRun({ id }));
          if ("run" in created) await registry.loadEntries(created.run, many);
        }
        await begun(run.id);
        const marked = await begun("01LOADED");
        let left = 2;
        const twice = () => {
          left -= 1;
          return left >= 0;
        };
        expect(await registry.removeItems(marked, twice)).toBe(false);
        expect(await registry.halfDeleted({ upTo: "9999", limit: 10 })).toEqual(
          expect.arrayContaining(["01LOADED", run.id]),
        );
        expect(await registry.removeItems(marked, always)).toBe(true);
        expect(await opened.table.query("RUN#01LOADED", { prefix: "" })).toEqual([]);
        expect(await registry.halfDeleted({ upTo: "9999", limit: 10 })).toEqual([run.id]);
        expect(await registry.run(other.id)).toMatchObject({ id: other.id });
        // Once more, by somebody who was slower: nothing comes back.
        expect(await registry.removeItems(marked, always)).toBe(true);
        expect(await registry.stored("01LOADED")).toBeUndefined();
      });

      it("frees its idempotency key, which then makes a new run, also while the old one is being deleted", async () => {
        await created("01FIRST");
        const first = await begun("01FIRST");
        expect(await created("01SECOND")).toMatchObject({ isNew: true, run: { id: "01SECOND" } });
        expect(await registry.removeItems(first, always)).toBe(true);
        // The key is the second one's by now, and stays so.
        expect(await created("01THIRD")).toMatchObject({ isNew: false, run: { id: "01SECOND" } });
        await registry.removeItems(await begun("01SECOND"), always);
        expect(await opened.table.query("IDEM#me#k", { prefix: "" })).toEqual([]);
        expect(await created("01THIRD")).toMatchObject({ isNew: true, run: { id: "01THIRD" } });
      });
    });

    describe("attempts", () => {
      it("each claim fences the attempt before it: its reservation, its commit and its ending are refused", async () => {
        const zombie = await claimed();
        const alive = await registry.claim(zombie.id, 1);
        expect(alive.attempt).toBe(zombie.attempt + 1);
        await expect(registry.reserve(zombie, { microUsd: 1, tokens: 1 }, 1000)).rejects.toThrow(Fenced);
        await expect(registry.commit(zombie, { run: { status: "completed" } })).rejects.toThrow(Fenced);
        await expect(registry.commit(zombie, { run: { status: "failed" }, evenIfCancelled: true })).rejects.toThrow(
          Fenced,
        );
        expect((await registry.run(zombie.id))?.status).toBe("running");
      });

      it("a claim of another epoch, of an ended run and of no run is fenced", async () => {
        const run = await claimed();
        await expect(registry.claim(run.id, 2)).rejects.toThrow(Fenced);
        await registry.commit(run, { run: { status: "partial" } });
        await expect(registry.claim(run.id, 1)).rejects.toThrow(Fenced);
        await expect(registry.claim("01JNONE", 1)).rejects.toThrow(Fenced);
      });

      it("of many claims at once each gets an attempt of its own", async () => {
        const run = await started();
        const claims = await Promise.allSettled([1, 2, 3, 4].map(() => registry.claim(run.id, 1)));
        const attempts = claims.flatMap((claim) => (claim.status === "fulfilled" ? [claim.value.attempt] : []));
        expect(new Set(attempts).size).toBe(attempts.length);
        expect((await registry.run(run.id))?.attempt).toBe(Math.max(...attempts));
      });

      it("a claim ends a Wait state: the run is computed again and no reason is left standing", async () => {
        const run = await claimed();
        await registry.commit(run, { run: { status: "waiting", reason: "rate_limited", detail: "429" } });
        const again = await registry.claim(run.id, 1);
        expect(again.status).toBe("running");
        const stored = await registry.run(run.id);
        expect(stored?.reason).toBeUndefined();
        expect(stored?.detail).toBeUndefined();
      });
    });

    describe("reservations", () => {
      it("an unsettled reservation counts as spent when the next attempt claims, and an event reports it", async () => {
        const run = await claimed();
        await registry.reserve(run, { microUsd: 700, tokens: 90 }, 1000);
        const next = await registry.claim(run.id, 1);
        expect(next).toMatchObject({ microUsd: 700, inputTokens: 90, reservedMicroUsd: 0, reservedTokens: 0 });
        expect(await registry.run(run.id)).toMatchObject({ microUsd: 700, reservedMicroUsd: 0 });
        const events = await registry.events(run.id, { after: 0, limit: 100 });
        expect(events.map((event) => event.type)).toEqual(["created", "written_off"]);
      });

      it("what the attempt before it reserves while the next one claims is written off too", async () => {
        const zombie = await claimed();
        const racing = interruptedBy(() => registry.reserve(zombie, { microUsd: 700, tokens: 90 }, 1000));
        expect(await racing.claim(zombie.id, 1)).toMatchObject({ microUsd: 700, inputTokens: 90 });
        expect(await registry.run(zombie.id)).toMatchObject({ microUsd: 700, reservedMicroUsd: 0, reservedTokens: 0 });
      });

      it("what the attempt before it pays while the next one claims stays paid", async () => {
        const zombie = await registry.reserve(await claimed(), { microUsd: 700, tokens: 90 }, 1000);
        const racing = interruptedBy(() =>
          registry.commit(zombie, {
            turn: aTurn({ state: "answered" }),
            newTurn: true,
            run: { microUsd: 400, inputTokens: 50, calls: 1, reservedMicroUsd: 0, reservedTokens: 0 },
          }),
        );
        expect(await racing.claim(zombie.id, 1)).toMatchObject({ microUsd: 400, inputTokens: 50, calls: 1 });
        expect(await registry.run(zombie.id)).toMatchObject({ microUsd: 400, inputTokens: 50, calls: 1 });
      });

      it("the ceiling in dollars is kept by the write itself, not only by who asks", async () => {
        const run = await claimed({ options: { ...aRun().options, budget: { usd: 0.001 } } });
        await expect(registry.reserve(run, { microUsd: 1001, tokens: 1 }, 1000)).rejects.toThrow(/reservation/);
        const reserved = await registry.reserve(run, { microUsd: 1000, tokens: 1 }, 1000);
        expect(reserved.reservedMicroUsd).toBe(1000);
      });

      it("nothing else may be reserved while a call is in flight", async () => {
        const run = await claimed();
        await registry.reserve(run, { microUsd: 5, tokens: 5 }, 1000);
        await expect(registry.reserve(run, { microUsd: 5, tokens: 5 }, 1000)).rejects.toThrow(/reservation/);
      });
    });

    describe("turns", () => {
      it("an answered turn is committed once, with its directory entries and events, all or nothing", async () => {
        let run = await claimed();
        run = await registry.commit(run, { turn: aTurn({ state: "answered" }), newTurn: true, run: { microUsd: 10 } });
        run = await registry.commit(run, { turn: aTurn({}), entries: [entry("a.txt", null)], events: [notice("one")] });
        await expect(registry.commit(run, { turn: aTurn({}), entries: [entry("b.txt", null)] })).rejects.toThrow();
        expect(await registry.turns(run.id, 1)).toMatchObject([{ state: "committed", turn: 1 }]);
        expect((await registry.allFiles(run.id)).map((file) => file.path)).toEqual(["a.txt"]);
      });

      it("the same turn cannot be answered twice", async () => {
        const run = await claimed();
        const after = await registry.commit(run, { turn: aTurn({ state: "answered" }), newTurn: true });
        await expect(registry.commit(after, { turn: aTurn({ state: "answered" }), newTurn: true })).rejects.toThrow();
      });

      it("a directory entry changes only from what it was: a stale change takes the whole turn with it", async () => {
        let run = await claimed();
        run = await registry.commit(run, { entries: [entry("a.txt", null, "1")] });
        run = await registry.commit(run, { entries: [entry("a.txt", "1", "2")] });
        const stale = registry.commit(run, {
          entries: [entry("b.txt", null), entry("a.txt", "1", "3")],
          run: { turns: 9 },
        });
        await expect(stale).rejects.toThrow(/directory/);
        expect(await registry.allFiles(run.id)).toMatchObject([{ path: "a.txt", sha256: "2" }]);
        expect((await registry.run(run.id))?.turns).toBe(0);
      });

      it("a deletion needs what it deletes", async () => {
        let run = await claimed();
        run = await registry.commit(run, { entries: [entry("a.txt", null, "1")] });
        run = await registry.commit(run, { entries: [{ folded: "a.txt", entry: null, was: "1" }] });
        expect(await registry.file(run.id, "a.txt")).toBeUndefined();
      });

      it("eighty paths, the instruction and the events of a turn fit one transaction; more paths are refused", async () => {
        let run = await claimed();
        await registry.storeProgram(run, {
          instructions: [{ title: "t", text: "x", requirements: [] }],
          requirements: [],
        });
        const entries = (count: number) => Array.from({ length: count }, (_, index) => entry(`f${index}.txt`, null));
        await expect(registry.commit(run, { entries: entries(81) })).rejects.toThrow(/paths/);
        run = await registry.commit(run, {
          turn: aTurn({}),
          newTurn: true,
          entries: entries(80),
          instruction: { number: 1, set: { status: "accepted" } },
          events: Array.from({ length: 12 }, (_, index) => notice(String(index))),
        });
        expect(await registry.allFiles(run.id)).toHaveLength(80);
      });

      it("counts the time under computation, and none without one", async () => {
        let run = await claimed();
        clock.advance(1500);
        run = await registry.commit(run, {});
        expect(run.activeMs).toBe(1500);
        run = await registry.commit(run, { run: { remove: ["markedAt"] } });
        clock.advance(60_000);
        const again = await registry.claim(run.id, 1);
        clock.advance(500);
        expect((await registry.commit(again, {})).activeMs).toBe(2000);
      });

      it("counts the time of an attempt that died, and of the wait after it", async () => {
        const run = await claimed();
        clock.advance(9_000);
        const next = await registry.claim(run.id, 1);
        clock.advance(1_000);
        expect((await registry.commit(next, {})).activeMs).toBe(10_000);
      });
    });

    describe("events", () => {
      it("are numbered without gap or double, also when somebody else notes one in between", async () => {
        let run = await claimed();
        run = await registry.commit(run, { events: [notice("a")] });
        const seen = await registry.run(run.id);
        if (!seen) throw new Error("gone");
        await registry.change(seen, {}, [notice("from outside")]);
        run = await registry.commit(run, { events: [notice("b"), notice("c")] });
        const events = await registry.events(run.id, { after: 0, limit: 100 });
        expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5]);
        expect(events.slice(1).map((event) => event.type === "notice" && event.text)).toEqual([
          "a",
          "from outside",
          "b",
          "c",
        ]);
        expect(run.events).toBe(5);
      });

      it("are read after a number, so that a watcher misses none", async () => {
        let run = await claimed();
        for (const text of ["a", "b", "c"]) run = await registry.commit(run, { events: [notice(text)] });
        const events = await registry.events(run.id, { after: 2, limit: 1 });
        expect(events).toMatchObject([{ seq: 3, text: "b" }]);
      });
    });

    describe("cancelling", () => {
      it("refuses the next commit and the next claim; only an ending passes", async () => {
        const run = await claimed();
        const seen = await registry.run(run.id);
        if (!seen) throw new Error("gone");
        await registry.change(seen, { cancelRequested: true }, [notice("cancel")]);
        await expect(registry.commit(run, { entries: [entry("late.txt", null)] })).rejects.toThrow(Cancelled);
        const upToDate = await registry.run(run.id);
        if (!upToDate) throw new Error("gone");
        await expect(registry.commit(upToDate, { entries: [entry("late.txt", null)] })).rejects.toThrow(Cancelled);
        await expect(registry.reserve(run, { microUsd: 1, tokens: 1 }, 1000)).rejects.toThrow(Cancelled);
        await expect(registry.claim(run.id, 1)).rejects.toThrow(Cancelled);
        const ending = await registry.claimForEnding(run.id, 1);
        await registry.commit(ending, {
          run: { status: "cancelled" },
          events: [notice("ended")],
          evenIfCancelled: true,
        });
        expect((await registry.run(run.id))?.status).toBe("cancelled");
        expect(await registry.allFiles(run.id)).toEqual([]);
      });
    });

    describe("epochs", () => {
      it("begin by compare-and-set: of two at once one wins, and the old epoch is fenced", async () => {
        const run = await claimed();
        const begun = await Promise.all([registry.beginEpoch(run, {}), registry.beginEpoch(run, {})]);
        expect(begun.filter(Boolean)).toHaveLength(1);
        await expect(registry.commit(run, {})).rejects.toThrow(Fenced);
        expect((await registry.claim(run.id, 2)).epoch).toBe(2);
      });
    });

    describe("creation and programs", () => {
      it("a created run is overdue when its first epoch was not started in time, and not before", async () => {
        const overdueAt = (time: number) => registry.overdue({ upTo: new Date(time).toISOString(), limit: 10 });
        await registry.create(aRun({ id: "01A" }));
        expect(await overdueAt(clock.now() + 60_000)).toEqual([]);
        expect(await overdueAt(clock.now() + 600_000)).toEqual(["01A"]);
      });

      it("the same idempotency key answers the same run, and is refused with another body", async () => {
        const key = { caller: "me", key: "k1", bodyHash: "h1" };
        const first = await registry.create(aRun({ id: "01A" }), key);
        const second = await registry.create(aRun({ id: "01B" }), key);
        expect(first).toMatchObject({ isNew: true, run: { id: "01A" } });
        expect(second).toMatchObject({ isNew: false, run: { id: "01A" } });
        expect(await registry.create(aRun({ id: "01C" }), { ...key, bodyHash: "h2" })).toEqual({
          conflict: "another_body",
        });
        expect(await registry.run("01B")).toBeUndefined();
      });

      it("runs of an owner come newest first, page by page, none lost or doubled", async () => {
        for (let index = 0; index < 7; index += 1) {
          await registry.create(aRun({ id: `01R${index}`, createdAt: new Date(index * 1000).toISOString() }));
        }
        await registry.create(aRun({ id: "01X", owner: "somebody else" }));
        const first = await registry.runs({ owner: "local", limit: 4 });
        const rest = await registry.runs({
          owner: "local",
          limit: 4,
          ...(first.cursor ? { cursor: first.cursor } : {}),
        });
        expect([...first.runs, ...rest.runs].map((run) => run.id)).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `01R${n}`));
      });

      it("a program of a hundred long instructions is stored, though it exceeds what one transaction may hold", async () => {
        const run = await claimed();
        const instructions = Array.from({ length: 100 }, () => ({
          title: "t",
          text: "x".repeat(90_000),
          requirements: [],
        }));
        await registry.storeProgram(run, { instructions, requirements: [] });
        expect(await registry.instructions(run.id)).toHaveLength(100);
      });

      it("a program of 300 instructions is stored in batches and read in order; a fenced one is not", async () => {
        const run = await claimed();
        const instructions = Array.from({ length: 300 }, (_, index) => ({
          title: `t${index}`,
          text: "x",
          requirements: ["R2"],
        }));
        const requirements = ["R10", "R2", "R1"].map((id) => ({ id, text: id }));
        await registry.storeProgram(run, { instructions, requirements });
        const stored = await registry.instructions(run.id);
        expect(stored.map((each) => each.title)).toEqual(instructions.map((each) => each.title));
        expect((await registry.requirements(run.id)).map(({ id }) => id)).toEqual(["R1", "R2", "R10"]);
        await registry.claim(run.id, 1);
        await expect(registry.storeProgram(run, { instructions, requirements })).rejects.toThrow(Fenced);
      });

      it("a program in the place of a longer one leaves nothing of it; a fenced one takes nothing away", async () => {
        const run = await claimed();
        const program = (count: number, ids: string[]) => ({
          instructions: Array.from({ length: count }, (_, index) => ({
            title: `t${index}`,
            text: "x",
            requirements: [],
          })),
          requirements: ids.map((id) => ({ id, text: id })),
        });
        await registry.storeProgram(run, program(200, ["R1", "R2", "R3"]));
        await registry.storeProgram(run, program(3, ["R2", "R4"]));
        expect(await registry.instructions(run.id)).toHaveLength(3);
        expect((await registry.requirements(run.id)).map(({ id }) => id)).toEqual(["R2", "R4"]);
        await registry.claim(run.id, 1);
        await expect(registry.storeProgram(run, program(1, []))).rejects.toThrow(Fenced);
        expect(await registry.instructions(run.id)).toHaveLength(3);
      });
    });
  });
}

const notice = (text: string) => ({ type: "notice" as const, text });

const entry = (path: string, was: string | null, sha256 = "0"): EntryChange => ({
  folded: path,
  was,
  entry: { path, sha256, bytes: 1, lines: 1, instruction: 1, turn: 1 },
});

const aTurn = (over: Partial<Turn>): Turn => ({
  instruction: 1,
  turn: 1,
  epoch: 1,
  attempt: 1,
  segment: 0,
  state: "committed",
  at: "2026-01-01T00:00:00.000Z",
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  microUsd: 0,
  milliseconds: 0,
  changes: [],
  ...over,
});
