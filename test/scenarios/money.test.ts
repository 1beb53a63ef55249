/** What calls reserve, and what is left of the budget after calls of unknown cost. */
import { afterEach, describe, expect, it } from "vitest";
import { ModelError } from "../../lib/core/errors.ts";
import type { Model, ModelRequest } from "../../lib/core/ports.ts";
import { costOf } from "../../lib/core/run/budget.ts";
import { exitCodeOf } from "../../lib/core/run/exit-codes.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { alwaysGreen, aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { nappingClock } from "../doubles/napping-clock.ts";
import { placeOf, programOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";
import { createVirtualClock } from "../virtual-clock.ts";

let machine: TestMachine;
afterEach(() => {
  machine.close();
  machine.removeHome();
});

const NOON = Date.parse("2026-03-01T12:00:00Z");

/** gpt-5.5, with the default budget. */
const dear = {
  profile: {
    price: { input: 5, output: 30 },
    contextWindow: 272_000,
    maxOutputTokens: 128_000,
    temperature: false,
  },
  options: { reflect: 0, budget: { usd: 5 } },
};
const writes = (request: Parameters<typeof placeOf>[0]): Said =>
  placeOf(request).planning
    ? { calls: [["write_program", { instructions: programOf(1) }]] }
    : { calls: [writeFile("a.txt"), ["complete_instruction", { summary: "written" }]] };

describe("a model that can write far more than an answer needs", () => {
  it("leaves $4 of $5 after two time-outs, and the run completes", async () => {
    const model = scriptedModel((request, call) => {
      if (call <= 2) throw new ModelError("no answer", { kind: "timed_out", perhapsPaid: true });
      return writes(request);
    });
    machine = aMachine({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission(dear));
    expect(run.status).toBe("completed");
    expect(run.microUsd).toBeGreaterThan(0);
    expect(run.microUsd).toBeLessThanOrEqual(1_000_000);
  });

  it("is given twice the room after an answer that was cut, in later instructions too", async () => {
    const model = scriptedModel((request, call) => {
      const { planning, instruction } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(2) }]] };
      if (call <= 3) return { finish: "cut", text: "thinking", usage: { outputTokens: request.maxOutputTokens } };
      return { calls: [writeFile(`${instruction}.txt`), ["complete_instruction", { summary: "written" }]] };
    });
    machine = aMachine({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission({ ...dear, options: { reflect: 0, budget: { usd: 20 } } }));
    expect(run.status).toBe("completed");
    const limits = model.requests.map(({ maxOutputTokens }) => maxOutputTokens);
    expect(limits).toEqual([16_384, 16_384, 32_768, 65_536, 65_536]);
    const { difference } = await machine.replay(run.id);
    expect(difference).toBeUndefined();
  });
});

describe("an answer that breaks off as it is streamed", () => {
  it("is paid as far as it was received, kept to be read, and asked for again", async () => {
    const received = "Let me write ".repeat(100);
    const model = scriptedModel((request, call) => {
      if (call === 1) throw new ModelError("closed", { kind: "unavailable", perhapsPaid: true, received });
      return writes(request);
    });
    machine = aMachine({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission(dear));
    expect(run.status).toBe("completed");
    const lost = (await machine.registry.events(run.id, { after: 0, limit: 100 })).filter(
      ({ type }) => type === "written_off",
    );
    expect(lost).toMatchObject([{ why: "closed" }]);
    // The prompt at its upper bound, and two bytes a token of what came; 16,384 tokens were reserved.
    expect(lost[0]).toHaveProperty(
      "tokens",
      expect.toSatisfy((tokens: number) => tokens > 650 && tokens < 9_000),
    );
    const kept = await machine.files.get(
      fileStoreKeys(run.id).brokenAnswer({ instruction: 0, turn: 1, attempt: 1 }, 0),
    );
    expect(new TextDecoder().decode(kept)).toBe(received);
  });
});

describe("an answer of which nothing arrives", () => {
  const SECONDS = 20;
  const WRITTEN = 90 * SECONDS;

  it.each(["timed_out", "broken_answer", "unavailable"] as const)(
    "is paid with what can have been written in its time, also of a model that shows all that it writes: %s",
    async (kind) => {
      const clock = createVirtualClock(NOON);
      let charged = 0;
      const script = scriptedModel(writes);
      const model: Model = {
        async ask(request) {
          await clock.sleep(SECONDS * 1_000);
          const outputTokens = charged === 0 ? WRITTEN : 100;
          charged += costOf(dear.profile.price, { inputTokens: 1_000, cachedTokens: 0, outputTokens });
          if (outputTokens === WRITTEN) throw new ModelError("nothing came", { kind, perhapsPaid: true });
          return script.ask(request);
        },
      };
      machine = aMachine({ model, evaluator: alwaysGreen, clock, storage: lastingStorage() });
      const run = await compute(
        machine,
        await aSubmission({ ...dear, profile: { ...dear.profile, temperature: true } }),
      );
      expect(run).toMatchObject({ status: "completed", reservedMicroUsd: 0 });
      expect(run.microUsd).toBeGreaterThanOrEqual(charged);
      // Far less than was reserved: 16,384 tokens.
      expect(run.microUsd).toBeLessThan(2 * charged);
    },
  );
});

describe("a server that does not say what it counted", () => {
  it("is settled by what was sent and received, and nothing is learned from the guess", async () => {
    const bounds: number[] = [];
    const model = scriptedModel(writes);
    const guessing = {
      async ask(...asked: Parameters<typeof model.ask>) {
        const { runs } = await machine.registry.runs({ owner: "local", limit: 1 });
        bounds.push((runs[0]?.reservedTokens ?? 0) - asked[0].maxOutputTokens - bytesOf(asked[0]));
        return { ...(await model.ask(...asked)), usageEstimated: true };
      },
    };
    machine = aMachine({ model: guessing, evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission(dear));
    expect(run).toMatchObject({ status: "completed", tokensPerByte: 0, tokensPerSecond: 0 });
    expect(bounds).toEqual([256, 256]);
    expect(run.outputTokens).toBeGreaterThan(2 * 64);
    expect(run.outputTokens).toBeLessThan(300);
    expect(run.inputTokens).toBeLessThan(model.requests.reduce((sum, each) => sum + bytesOf(each), 0));
    expect(run.overReservation).toBeUndefined();
  });
});

const bytesOf = ({ messages, tools }: ModelRequest): number => Buffer.byteLength(JSON.stringify({ messages, tools }));

describe("a server that is not there", () => {
  it.each([
    ["cannot be reached", "unreachable"],
    ["answers with errors", "unavailable"],
  ] as const)("ends a run as the provider's failure, which %s, and costs nothing, with lanes too", async (_, kind) => {
    const model = scriptedModel((request) => {
      if (placeOf(request).planning) return writes(request);
      throw new ModelError("The server is down.", { kind, perhapsPaid: false });
    });
    machine = aMachine({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission({ ...dear, options: { ...dear.options, parallel: 2 } }));
    expect(run).toMatchObject({ status: "failed", reason: "provider", calls: 1, detail: "The server is down." });
    expect(exitCodeOf(run)).toBe(4);
    const planned = await machine.registry.turns(run.id, 0);
    expect(run.microUsd).toBe(planned[0]?.microUsd);
  });
});

describe("a call whose run belongs to another process by now", () => {
  it("is ended as soon as that is noticed, since what it costs from then on is never settled", async () => {
    const asked = Promise.withResolvers<AbortSignal | undefined>();
    const model: Model = {
      ask: (_request, signal) => {
        asked.resolve(signal);
        return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    machine = aMachine({ model, evaluator: alwaysGreen, clock: nappingClock });
    const { id } = await machine.submit(await aSubmission(dear));
    const computed = machine.compute(id, new AbortController().signal);
    const signal = await asked.promise;
    const before = await machine.registry.run(id);
    const other = await machine.registry.claim(id, 1);
    await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    expect(signal?.reason).toMatchObject({ name: "L2mac.Fenced" });
    await computed;
    expect(other.microUsd).toBeGreaterThan(0);
    expect(other.microUsd).toBeLessThan((before?.reservedMicroUsd ?? 0) / 4);
    expect(other).toMatchObject({ reservedMicroUsd: 0, reservedTokens: 0 });
  });
});

describe("a server that cuts requests off silently", () => {
  const WINDOW = 6_000;
  const numbers = Array.from({ length: 9_000 }, (_, index) => `${(index * 7_919) % 9_973}`).join(" ");
  const from = new Map([["numbers.txt", Buffer.from(numbers)]]);

  it("has its answers dropped, and is sent less until it reads all of it", async () => {
    const model = scriptedModel((request) => {
      const inputTokens = Math.min(WINDOW, Math.ceil(bytesOf(request) / 4));
      const { planning } = placeOf(request);
      const wasRead = request.messages.some(({ role }) => role === "tool");
      if (planning || wasRead || inputTokens === WINDOW) return { ...writes(request), usage: { inputTokens } };
      const isFirst = model.requests.length === 2;
      const calls: Said["calls"] = isFirst ? [["read_files", { files: ["numbers.txt"] }]] : writes(request).calls;
      return { calls: calls ?? [], usage: { inputTokens } };
    });
    machine = aMachine({ model, evaluator: alwaysGreen });
    const run = await compute(
      machine,
      await aSubmission({ ...dear, options: { ...dear.options, from: true }, submission: { from } }),
    );
    const turns = await machine.registry.turns(run.id, 1);
    expect(turns.map(({ outcome }) => outcome)).toEqual(["tools", "context_exceeded", "accepted"]);
    expect(turns[1]).toMatchObject({ inputTokens: WINDOW, changes: [] });
    expect(run).toMatchObject({ status: "completed" });
    const events = await machine.registry.events(run.id, { after: 0, limit: 1_000 });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "notice",
        text: expect.stringMatching(/read a part of it only.*--context-window/),
      }),
    );
    const { difference } = await machine.replay(run.id);
    expect(difference).toBeUndefined();
  });

  it("stops the instruction in words where nothing is left to drop", async () => {
    const model = scriptedModel((request) =>
      placeOf(request).planning
        ? { ...writes(request), usage: { inputTokens: Math.ceil(bytesOf(request) / 4) } }
        : { ...writes(request), usage: { inputTokens: 1_500 } },
    );
    machine = aMachine({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission({ ...dear, task: numbers.slice(0, 16_000) }));
    expect(run).toMatchObject({ status: "partial", reason: "trapped", files: 0 });
    expect(run.detail).toContain("--context-window");
  });
});
