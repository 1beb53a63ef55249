/** Long answers and failing calls drawn by chance, in small windows: no request exceeds one, accounts and replay agree. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { ModelError, type ModelErrorKind } from "../../lib/core/errors.ts";
import type { Model, ModelRequest } from "../../lib/core/ports.ts";
import { isEnded, type Run } from "../../lib/core/run/run.ts";
import { alwaysGreen, aMachine, aSubmission, type TestMachine } from "../doubles/machines.ts";
import { type Death, lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { placeOf, programOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const homes: TestMachine[] = [];
afterAll(() => {
  for (const machine of homes.splice(0)) machine.removeHome();
});

type Call = [name: string, args: object];
const path = fc.constantFrom("a.txt", "b.txt", "c.txt", "d/e.txt");
const call: fc.Arbitrary<Call> = fc.oneof(
  fc
    .tuple(path, fc.integer({ min: 1, max: 1_200 }))
    .map(([file, times]): Call => ["write_files", { files: [{ path: file, content: `${file} `.repeat(times) }] }]),
  fc.array(path, { minLength: 1, maxLength: 4 }).map((files): Call => ["read_files", { files }]),
  fc.constantFrom<Call[]>(
    ["run_checks", {}],
    ["list_files", {}],
    ["search_files", { pattern: "txt" }],
    ["complete_instruction", { summary: "long ".repeat(400) }],
  ),
);
const talk = fc.integer({ max: 3_000, min: 0 }).map((times): Said => ({ text: "prose ".repeat(times) }));
const work = fc.array(call, { maxLength: 6 }).map((calls): Said => ({ calls, text: "thinking" }));
const trouble = fc.constantFrom<ModelErrorKind[]>("timed_out", "context_exceeded", "broken_answer");
const script = fc.array(
  fc.oneof({ weight: 7, arbitrary: work }, { weight: 1, arbitrary: talk }, { weight: 2, arbitrary: trouble }),
  { minLength: 5, maxLength: 40 },
);
const death: fc.Arbitrary<Death> = fc.record({
  call: fc.integer({ min: 5, max: 150 }),
  when: fc.constantFrom("before", "after"),
});

/** A server that counts exactly, and whose window is what it says. */
function strictServer(answers: (Said | ModelErrorKind)[], { window, bytesPerToken }: Server): Model {
  let next = 0;
  const inner = scriptedModel((request) => {
    if (placeOf(request).planning) return { calls: [["write_program", { instructions: programOf(3) }]] };
    next += 1;
    const answer = answers[next - 1] ?? { calls: [["complete_instruction", { summary: `${next}` }]] };
    if (typeof answer !== "string") return answer;
    throw new ModelError(answer, { kind: answer, perhapsPaid: answer !== "context_exceeded" });
  });
  return {
    async ask(request: ModelRequest) {
      const bytes = new TextEncoder().encode(JSON.stringify([request.messages, request.tools])).length;
      const inputTokens = Math.ceil(bytes / bytesPerToken);
      if (inputTokens + request.maxOutputTokens > window) throw new Error(`${inputTokens} tokens are too many`);
      const answer = await inner.ask(request);
      return { ...answer, usage: { inputTokens, cachedTokens: 0, outputTokens: 300 } };
    },
  };
}

interface Server {
  window: number;
  bytesPerToken: number;
}

const undying: Death = { call: Number.POSITIVE_INFINITY, when: "before" };

async function play(model: Model, { window }: Server, deaths: Death[]): Promise<{ machine: TestMachine; run: Run }> {
  const lasting = lastingStorage();
  const open = (dies: Death) => {
    const stop = new AbortController();
    const storage = mortalStorage(lasting, dies, () => stop.abort(new Error("killed")));
    const home = homes[0] ? { home: homes[0].home } : {};
    const machine = aMachine({ model, evaluator: alwaysGreen, storage, ...home });
    if (homes.length === 0) homes.push(machine);
    return { machine, signal: stop.signal };
  };
  const first = open(undying).machine;
  const profile = { contextWindow: window, maxOutputTokens: 4_096, price: { input: 1, output: 2 } };
  const { id } = await first.submit(await aSubmission({ options: { reflect: 0, budget: { usd: 100 } }, profile }));
  first.close();
  for (const dies of [...deaths, undying]) {
    const { machine, signal } = open(dies);
    await goOn(machine, id, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    const run = await first.registry.run(id);
    if (run && isEnded(run.status)) return { machine: first, run };
  }
  throw new Error("The run has not ended.");
}

async function goOn(machine: TestMachine, id: string, signal: AbortSignal): Promise<void> {
  await machine.sweep();
  await machine.resume(id, {});
  await machine.compute(id, signal);
}

async function expectTruth({ machine, run }: { machine: TestMachine; run: Run }): Promise<void> {
  expect(["provider", "trapped", undefined], run.detail).toContain(run.reason);
  const events = await machine.registry.events(run.id, { after: 0, limit: 10_000 });
  const paid = events.flatMap((event) => (event.type === "turn" || event.type === "written_off" ? [event] : []));
  expect(run.microUsd).toBe(paid.reduce((sum, { microUsd }) => sum + microUsd, 0));
  const { treeHash, expected, turns, difference } = await machine.replay(run.id);
  expect(difference).toBeUndefined();
  expect(treeHash).toBe(expected);
  expect(turns).toBe(run.turns);
}

describe("in a narrow window", () => {
  it("no request is too long, each cent is reported, and the replay sends the same bytes", async () => {
    const servers = fc.record({
      window: fc.constantFrom(7_000, 9_000, 16_000),
      bytesPerToken: fc.constantFrom(3, 4, 6),
    });
    await fc.assert(
      fc.asyncProperty(script, servers, fc.array(death, { maxLength: 2 }), async (answers, server, deaths) => {
        await expectTruth(await play(strictServer(answers, server), server, deaths));
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});
