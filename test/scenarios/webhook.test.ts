/** A webhook on this computer: notified of what matters, however often processes die, and never in the way. */

import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNotify } from "../../lambdas/notify.ts";
import type { Webhook } from "../../lib/core/notification/webhook.ts";
import type { Machine } from "../../lib/local/machine.ts";
import { runKey } from "../../lib/registry/keys.ts";
import { createRegistry } from "../../lib/registry/registry.ts";
import { createSender } from "../../lib/webhook/send.ts";
import { askedRun, COLOURS } from "../doubles/asked-run.ts";
import { hastyClock } from "../doubles/hasty-clock.ts";
import { aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { type Death, lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";
import { wrapStorage } from "../doubles/wrapped-storage.ts";
import { type Receiver, startReceiver } from "../servers/webhook-receiver.ts";

const machines: TestMachine[] = [];
let receiver: Receiver;
let webhook: Webhook;
beforeEach(async () => {
  receiver = await startReceiver();
  webhook = { url: receiver.url, secret: "a secret of some length", allowPrivate: true };
});
afterEach(async () => {
  for (const machine of machines.splice(0)) {
    machine.close();
    machine.removeHome();
  }
  await receiver.close();
});

const files = (instruction: number) => [{ path: `f${instruction}.txt`, content: `${instruction}\n` }];
const never = new AbortController().signal;

function opened(parts: Partial<Parameters<typeof aMachine>[0]> = {}): TestMachine {
  const machine = aMachine({ model: scriptedModel(writerOf(3, files)), webhook, ...parts });
  machines.push(machine);
  return machine;
}

const types = () => receiver.received.map(({ notification }) => notification.type);
const outbox = (storage: ReturnType<typeof lastingStorage>, runId: string) =>
  storage.table.query(runKey(runId), { prefix: "NOTIFY#" });

describe("a webhook", () => {
  it("is notified that a run completed, before the process that computed it ends", async () => {
    const storage = lastingStorage();
    const run = await compute(opened({ storage }), await aSubmission({}));
    expect(receiver.received.map(({ notification }) => notification)).toMatchObject([
      { type: "completed", run: { id: run.id, status: "completed" }, cost: { turns: run.turns } },
    ]);
    expect(await outbox(storage, run.id)).toEqual([]);
    expect(receiver.received[0]?.body).not.toContain("Write three text files.\n");
  });

  it("is notified that a program waits for approval, then how the run ended", async () => {
    const machine = opened();
    const run = await compute(machine, await aSubmission({ options: { approve: "plan" } }));
    expect(types()).toEqual(["waiting"]);
    expect(receiver.received[0]?.notification.run).toMatchObject({ status: "waiting", reason: "approval" });
    await machine.approve(run.id);
    await machine.compute(run.id, never);
    expect(types()).toEqual(["waiting", "completed"]);
  });

  it("is notified that a run asks, with the question, and of its end once it is answered", async () => {
    const machine = opened();
    const { id } = await askedRun(machine, COLOURS);
    await machine.compute(id, never);
    const asked = receiver.received.map(({ notification }) => notification).find(({ question }) => question);
    expect(asked).toMatchObject({
      ...{ type: "waiting", question: { step: 1, text: "Which colour? One of these.", choices: ["Red", "Green"] } },
      run: { status: "waiting", reason: "answer", detail: "Waiting for an answer: Which colour? One of these." },
    });
    await machine.answer(id, { choice: 1 });
    await machine.compute(id, never);
    expect(types()).toEqual(["waiting", "waiting", "completed"]);
  });

  it("is notified that a run was interrupted, and a hanging one does not keep the process", async () => {
    let received = 0;
    receiver.answer(() => {
      received = performance.now();
    });
    const stop = new AbortController();
    const storage = lastingStorage();
    const machine = opened({
      storage,
      model: scriptedModel((request, call) => {
        if (call === 3) stop.abort(new Error("stopped"));
        return writerOf(3, files)(request);
      }),
    });
    const run = await machine.submit(await aSubmission({}));
    expect(await machine.compute(run.id, stop.signal)).toMatchObject({ status: "waiting", reason: "interrupted" });
    // From then on it only waits.
    expect(received).toBeGreaterThan(0);
    expect(performance.now() - received).toBeLessThan(9_000);
    expect(types()).toEqual(["waiting"]);
    // Whether it came is not known: it is sent again.
    expect(await outbox(storage, run.id)).toMatchObject([{ tries: 1 }]);
  });

  it("that fails fails no run, and is notified by the next process that computes", async () => {
    receiver.answer((response) => response.writeHead(500).end());
    const storage = lastingStorage();
    let later = 0;
    const clock = { ...hastyClock, now: () => hastyClock.now() + later };
    const run = await compute(opened({ storage, clock }), await aSubmission({}));
    expect(run.status).toBe("completed");
    expect(types()).toEqual(["completed"]);
    receiver.answer(undefined);
    later = 120_000;
    const other = await compute(opened({ storage, clock }), await aSubmission({}));
    const sent = receiver.received.map(({ notification }) => notification);
    expect(sent.map(({ run }) => run.id).toSorted()).toEqual([run.id, run.id, other.id].toSorted());
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
  });

  it("that hangs holds no turn up: a run is at its end before anybody is waited for", async () => {
    receiver.answer(() => {});
    const machine = opened();
    const { id } = await machine.submit(await aSubmission({ options: { budget: { turns: 8 } } }));
    let isOver = false;
    const computing = machine.compute(id, never).finally(() => {
      isOver = true;
    });
    while ((await machine.registry.run(id))?.status !== "completed") await setImmediate();
    expect(isOver).toBe(false);
    machine.close();
    await computing.catch(() => {});
  });

  it("that is not configured makes a run write nothing, and one that fails makes it write once more", async () => {
    const counted = async (parts: { webhook?: Webhook }) => {
      const storage = lastingStorage();
      let calls = 0;
      const counting = wrapStorage(storage, (call) => (...given) => {
        calls += 1;
        return call(...given);
      });
      const machine = aMachine({ model: scriptedModel(writerOf(3, files)), storage: counting, ...parts });
      machines.push(machine);
      const run = await compute(machine, await aSubmission({ options: { budget: { turns: 100 } } }));
      expect(run.status).toBe("completed");
      return { calls, left: (await outbox(storage, run.id)).length };
    };
    receiver.answer((response) => response.writeHead(500).end());
    const without = await counted({});
    const having = await counted({ webhook });
    expect([without.left, having.left]).toEqual([0, 1]);
    // It looks what is due and reads it, takes it, notes that it failed (three calls), and looks again: at the end, not with each turn.
    expect(having.calls - without.calls).toBe(7);
  });
});

describe("at every call that a process is killed at", () => {
  const undying: Death = { call: Number.POSITIVE_INFINITY, when: "before" };
  const turns = 10;

  /** Killed once, then resumed, then notified by the process that comes an hour later. */
  async function throughDeath(death: Death): Promise<number> {
    const lasting = lastingStorage();
    receiver.received.length = 0;
    const submission = await aSubmission({ options: { budget: { turns } } });
    const killed = new AbortController();
    const storage = mortalStorage(lasting, death, () => killed.abort(new Error("process killed")));
    const first = opened({ storage });
    const { id } = await opened({ storage: lasting, webhook }).submit(submission);
    await first.compute(id, killed.signal).catch(() => {});
    await goOn(opened({ storage: lasting, home: first.home }), id);
    const clock = { ...hastyClock, now: () => hastyClock.now() + 3_600_000 };
    const registry = createRegistry({ table: lasting.table, clock });
    await createNotify({ registry, clock, channels: { webhook: createSender({ webhook, clock }) } })({
      remainingMs: () => 60_000,
      signal: never,
    });
    expect((await registry.run(id))?.status).toBe("completed");
    expect(await outbox(lasting, id)).toEqual([]);
    return storage.calls();
  }

  async function goOn(machine: Machine, id: string): Promise<void> {
    await machine.sweep();
    const run = await machine.registry.run(id);
    if (run?.status === "completed") return;
    if (run?.status === "waiting") await machine.resume(id, {});
    await machine.compute(id, never);
  }

  const idsOf = (type: string) =>
    new Set(
      receiver.received.filter(({ notification }) => notification.type === type).map(({ body }) => JSON.parse(body).id),
    );

  it("80 % of a ceiling and the end are sent, each under one id", async () => {
    const calls = await throughDeath(undying);
    expect(types()).toEqual(["ceiling", "completed"]);
    expect(calls).toBeGreaterThan(40);
    for (const call of sampledCalls(3, calls)) {
      for (const when of ["before", "after"] as const) {
        await throughDeath({ call, when });
        const seen = `killed ${when} call ${call}: ${types().join(" ")}`;
        expect(`${idsOf("ceiling").size} ${idsOf("completed").size} ${seen}`).toBe(`1 1 ${seen}`);
      }
    }
  });
});
