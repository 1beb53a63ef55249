import { afterEach, describe, expect, it } from "vitest";
import { type DeliveryResult, NOTIFICATION_TRIES, type Notification } from "../lib/core/notification/notification.ts";
import type { Table } from "../lib/core/ports.ts";
import { createMemoryFiles } from "../lib/host/memory-files.ts";
import { openSqliteTable } from "../lib/host/sqlite-table.ts";
import { metaKey, runKey } from "../lib/registry/keys.ts";
import { createRegistry } from "../lib/registry/registry.ts";
import { fakeClock } from "../test/doubles/fake-clock.ts";
import { aRun } from "../test/doubles/runs.ts";
import { guardStorage, inRole } from "../test/roles/roles.ts";
import { createNotify } from "./notify.ts";

const DAY = 24 * 3_600_000;
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const table of opened.splice(0)) table.close();
});

/** Runs that ended, and a receiver that answers as the test says. */
async function ended(ids: string[], { notifies = true } = {}) {
  const clock = fakeClock();
  const { table } = guardStorage({ table: openSqliteTable(":memory:"), files: createMemoryFiles() });
  opened.push(table);
  const counted = countedTable(table);
  const registry = createRegistry({ table: counted, clock, notifies });
  for (const id of ids) {
    const created = await registry.create(aRun({ id }));
    if ("run" in created) await registry.beginEpoch(created.run, {});
    const run = await registry.claim(id, 1);
    counted.transactions = 0;
    await registry.commit(run, {
      run: { status: "completed" },
      events: [{ type: "ended", status: "completed", detail: "Completed." }],
    });
  }
  const sent: Notification[] = [];
  let answer: (sent: number) => Promise<DeliveryResult> = async () => ({ ok: true });
  const send = (notification: Notification): Promise<DeliveryResult> => answer(sent.push(notification));
  const notify = createNotify({ registry, clock, channels: { webhook: send } });
  const call = (remainingMs = () => 60_000) =>
    inRole("notify", notify)({ remainingMs, signal: new AbortController().signal });
  const outbox = async (id: string) => (await table.query(runKey(id), { prefix: "NOTIFY#" })).length;
  const notices = async (id: string) =>
    (await registry.events(id, { after: 0, limit: 100 })).flatMap((event) =>
      event.type === "notice" ? [event.text] : [],
    );
  const answers = (how: typeof answer): void => {
    answer = how;
  };
  return { clock, table, counted, registry, sent, call, outbox, notices, answers };
}

function countedTable(table: Table) {
  const counted = {
    ...table,
    transactions: 0,
    transact: (writes: Parameters<Table["transact"]>[0]) => {
      counted.transactions += 1;
      return table.transact(writes);
    },
  };
  return counted;
}

describe("what is due", () => {
  it("is written in the transaction of what it tells, and is gone once it was sent", async () => {
    const { counted, sent, call, outbox } = await ended(["A"]);
    expect(counted.transactions).toBe(1);
    expect(await outbox("A")).toBe(1);
    expect(await call()).toEqual({ sent: 1, failed: 0, givenUp: 0 });
    expect(sent).toMatchObject([{ type: "completed", run: { id: "A", status: "completed" } }]);
    expect(await outbox("A")).toBe(0);
    expect(await call()).toEqual({ sent: 0, failed: 0, givenUp: 0 });
  });

  it("is nothing where no webhook is configured", async () => {
    const { counted, call, outbox } = await ended(["A"], { notifies: false });
    expect([counted.transactions, await outbox("A")]).toEqual([1, 0]);
    expect(await call()).toEqual({ sent: 0, failed: 0, givenUp: 0 });
  });

  it("is sent to the last one, more than are sent at once", async () => {
    const ids = Array.from({ length: 25 }, (_, at) => `R${at}`);
    const { call, sent } = await ended(ids);
    expect(await call()).toMatchObject({ sent: 25 });
    expect(new Set(sent.map(({ id }) => id)).size).toBe(25);
  });

  it("waits for the next call where too little time is left", async () => {
    const { call, outbox } = await ended(["A"]);
    expect(await call(() => 10_000)).toMatchObject({ sent: 0 });
    expect(await outbox("A")).toBe(1);
  });

  it("is taken by one of two that send at once", async () => {
    const { call, sent } = await ended(["A", "B", "C"]);
    await Promise.all([call(), call(), call()]);
    expect(sent.map(({ run }) => run.id).toSorted()).toEqual(["A", "B", "C"]);
  });

  it("goes with a run that is deleted", async () => {
    const { call, registry, outbox } = await ended(["A"]);
    const run = await registry.run("A");
    const begun = run && (await registry.beginDeletion(run));
    if (begun) await registry.removeItems(begun, () => true);
    expect(await outbox("A")).toBe(0);
    expect(await call()).toMatchObject({ sent: 0, givenUp: 0 });
  });

  it("is skipped if another version wrote it, and does not hold up the others", async () => {
    const { call, table } = await ended(["A"]);
    const strange = {
      pk: runKey("A"),
      sk: "NOTIFY#0",
      activeShard: "notify",
      dueAt: "2000-01-01",
      of: "another version",
    };
    await table.transact([{ put: strange }]);
    expect(await call()).toMatchObject({ sent: 1 });
  });
});

describe("a receiver that fails", () => {
  it("is sent again with the same id after growing delays, and the run's events say so once", async () => {
    const { call, clock, sent, answers, notices } = await ended(["A"]);
    answers(async (times) => (times < 4 ? { ok: false, why: "h: it answered 500" } : { ok: true }));
    expect(await call()).toEqual({ sent: 0, failed: 1, givenUp: 0 });
    for (const minutes of [1, 5, 15]) {
      clock.advance(minutes * 60_000 - 1);
      expect(await call()).toEqual({ sent: 0, failed: 0, givenUp: 0 });
      clock.advance(1);
      expect((await call()).givenUp).toBe(0);
    }
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(await notices("A")).toEqual([
      'The notification "completed" was not delivered (h: it answered 500); it is tried again.',
    ]);
  });

  it("is given up after the last try, and the run's events say so, and why", async () => {
    const { call, clock, sent, answers, notices, outbox, registry } = await ended(["A"]);
    answers(async () => ({ ok: false, why: "hooks.example.org: it answered 503" }));
    let givenUp = 0;
    for (let tries = 0; tries < NOTIFICATION_TRIES + 3; tries += 1) {
      givenUp += (await call()).givenUp;
      clock.advance(DAY);
    }
    expect([sent.length, givenUp, await outbox("A")]).toEqual([NOTIFICATION_TRIES, 1, 0]);
    expect((await notices("A")).slice(1)).toEqual([
      'The notification "completed" was not delivered in 8 tries (hooks.example.org: it answered 503); it is given up.',
    ]);
    expect(await registry.run("A")).toMatchObject({ status: "completed" });
  });
});

describe("a sender that is killed", () => {
  it("between sending and noting it sends again, with the same id", async () => {
    const { call, clock, sent, registry } = await ended(["A"]);
    const dying = { ...registry, dropNotification: () => Promise.reject(new Error("killed")) };
    const send = async (notification: Notification): Promise<DeliveryResult> => {
      sent.push(notification);
      return { ok: true };
    };
    const invocation = { remainingMs: () => 60_000, signal: new AbortController().signal };
    await expect(createNotify({ registry: dying, clock, channels: { webhook: send } })(invocation)).rejects.toThrow(
      "killed",
    );
    expect(await call()).toMatchObject({ sent: 0 });
    clock.advance(60_000);
    expect(await call()).toMatchObject({ sent: 1 });
    expect(sent.map(({ id }) => id)).toEqual(Array(2).fill("A-2-completed"));
  });

  it("at its last try gives up the next time, without sending", async () => {
    const { call, clock, table, sent, notices, outbox } = await ended(["A"]);
    const [item] = await table.query(runKey("A"), { prefix: "NOTIFY#" });
    if (item) await table.transact([{ update: item, set: { tries: NOTIFICATION_TRIES } }]);
    clock.advance(DAY);
    expect(await call()).toEqual({ sent: 0, failed: 0, givenUp: 1 });
    expect([sent.length, await outbox("A")]).toEqual([0, 0]);
    expect(await notices("A")).toEqual([expect.stringContaining("the result of the last one is unknown")]);
  });

  it("and whose run is gone meanwhile leaves nothing behind", async () => {
    const { call, table, answers, outbox } = await ended(["A"]);
    answers(async () => {
      await table.transact([{ delete: metaKey("A") }]);
      return { ok: false, why: "h: it answered 500" };
    });
    const [item] = await table.query(runKey("A"), { prefix: "NOTIFY#" });
    if (item) await table.transact([{ update: item, set: { tries: NOTIFICATION_TRIES - 1 } }]);
    expect(await call()).toEqual({ sent: 0, failed: 0, givenUp: 1 });
    expect(await outbox("A")).toBe(0);
  });
});

describe("two channels", () => {
  const two = async () => {
    const { clock, registry, notices, outbox } = await ended(["A"]);
    const sent: string[] = [];
    const broken = new Set<string>();
    const channel = (name: string) => async (): Promise<DeliveryResult> => {
      sent.push(name);
      return broken.has(name) ? { ok: false, why: `${name}: broken` } : { ok: true };
    };
    const channels = { events: channel("events"), webhook: channel("webhook") };
    const invocation = { remainingMs: () => 60_000, signal: new AbortController().signal };
    const call = (over: Partial<typeof registry> = {}) =>
      createNotify({ registry: { ...registry, ...over }, clock, channels })(invocation);
    return { clock, sent, broken, call, notices, outbox };
  };

  it("get each notification once, however long one of them fails", async () => {
    const { clock, sent, broken, call, notices, outbox } = await two();
    broken.add("webhook");
    expect(await call()).toEqual({ sent: 0, failed: 1, givenUp: 0 });
    clock.advance(60_000);
    expect(await call()).toEqual({ sent: 0, failed: 1, givenUp: 0 });
    broken.clear();
    clock.advance(5 * 60_000);
    expect(await call()).toEqual({ sent: 1, failed: 0, givenUp: 0 });
    expect(sent).toEqual(["events", "webhook", "webhook", "webhook"]);
    expect(await outbox("A")).toBe(0);
    expect(await notices("A")).toEqual([
      'The notification "completed" was not delivered (webhook: broken); it is tried again.',
    ]);
  });

  it("get it again where the sender was killed before it noted which of them has it", async () => {
    const { clock, sent, broken, call } = await two();
    broken.add("webhook");
    await expect(call({ noteDelivered: () => Promise.reject(new Error("killed")) })).rejects.toThrow("killed");
    broken.clear();
    clock.advance(60_000);
    expect(await call()).toMatchObject({ sent: 1 });
    expect(sent).toEqual(["events", "webhook", "events", "webhook"]);
  });

  it("are both named where neither takes it", async () => {
    const { broken, call, notices } = await two();
    broken.add("webhook").add("events");
    expect(await call()).toMatchObject({ failed: 1 });
    expect((await notices("A"))[0]).toContain("(events: broken; webhook: broken)");
  });
});
