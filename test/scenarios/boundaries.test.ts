/** A process that is killed at every boundary: before and after each call that a run makes to table and file store. */

import { afterAll, describe, expect, it } from "vitest";
import { readPack } from "../../lib/control/files/packs.ts";
import { treeHash } from "../../lib/control/files/tree-hash.ts";
import type { Event } from "../../lib/core/run/event.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { alwaysGreen, aMachine, aSubmission, type TestMachine } from "../doubles/machines.ts";
import { type Death, lastingStorage, type MortalStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { placeOf, programOf, type Said, type ScriptedModel, scriptedModel } from "../doubles/scripted-model.ts";

const homes: TestMachine[] = [];
afterAll(() => {
  for (const machine of homes) machine.removeHome();
});

/** Four instructions: files are written, edited, renamed, deleted, and become folders; one answer is prose. */
function script(request: Parameters<typeof placeOf>[0]): Said {
  const { planning, instruction, answers } = placeOf(request);
  if (planning) return { calls: [["write_program", { instructions: programOf(4) }]] };
  const turns: Said["calls"][] = TURNS[instruction] ?? [];
  const done: Said["calls"] = [["complete_instruction", { summary: `did part ${instruction}` }]];
  return { calls: turns[answers] ?? done };
}

const write = (path: string, content: string): [string, object] => ["write_files", { files: [{ path, content }] }];
const TURNS: Record<number, Said["calls"][]> = {
  1: [[write("readme.md", "one\n"), write("a", "a file\n")]],
  2: [
    [["delete_files", { paths: ["a"] }], write("a/b.txt", "in a folder\n")],
    [],
    [write("shared.txt", "two\n"), write("readme.md", "one\n")],
  ],
  3: [
    [
      ["edit_file", { path: "shared.txt", edits: [{ find: "two", replace: "three" }] }],
      ["complete_instruction", { summary: "in the same turn" }],
    ],
  ],
  4: [
    [["delete_files", { paths: ["readme.md"] }]],
    [write("README.md", "renamed\n"), ["read_files", { files: ["a/b.txt"] }]],
  ],
};

const EVERY_CALL = Number.POSITIVE_INFINITY;
const undying: Death = { call: EVERY_CALL, when: "before" };
const priced = { options: { reflect: 0, budget: { usd: 5 } }, profile: { price: { input: 2.5, output: 10 } } };

interface Living {
  machine: TestMachine;
  storage: MortalStorage;
  model: ScriptedModel;
  /** Ends what the process computes when it is killed. */
  killed: AbortController;
}

function begin(lasting: Storage, death: Death): Living {
  const killed = new AbortController();
  const storage = mortalStorage(lasting, death, () => killed.abort(new Error("process killed")));
  const model = scriptedModel(script);
  const home = homes[0]?.home;
  const machine = aMachine({ model, evaluator: alwaysGreen, storage, ...(home ? { home } : {}) });
  if (!home) homes.push(machine);
  return { machine, storage, model, killed };
}

/** As the command does it: what died is noted first, then the run goes on. */
async function goOn({ machine, killed }: Living, runId: string): Promise<void> {
  await machine.sweep();
  const run = await machine.registry.run(runId);
  if (run?.status === "completed") return;
  await machine.resume(runId, {});
  await machine.compute(runId, killed.signal);
}

/** One process after the other, each with its death; the last one lives. */
async function throughDeaths(deaths: Death[]): Promise<{ living: Living; runId: string; calls: number }> {
  const lasting = lastingStorage();
  const submission = await aSubmission(priced);
  const submitting = begin(lasting, undying).machine;
  const { id: runId } = await submitting.submit(submission);
  submitting.close();
  let calls = 0;
  for (const [index, death] of [...deaths, undying].entries()) {
    const living = begin(lasting, death);
    const work = index === 0 ? living.machine.compute(runId, living.killed.signal) : goOn(living, runId);
    await work.catch((error: unknown) => {
      if (!living.storage.isDead()) throw error;
    });
    calls += living.model.requests.length;
    living.machine.close();
    if (death === undying) return { living, runId, calls };
  }
  throw new Error("The last process lives.");
}

async function look({ machine }: Living, runId: string) {
  const run = await machine.registry.run(runId);
  const events = await machine.registry.events(runId, { after: 0, limit: 10_000 });
  const pack = run && (await readPack(machine.files, runId, run.packed));
  if (!run || !pack) throw new Error("There is no run.");
  const entries = await machine.registry.allFiles(runId);
  return { run, events, hash: treeHash(entries), paths: entries.map(({ path }) => path), pack: unpackTree(pack) };
}

type Paid = Extract<Event, { type: "turn" | "written_off" }>;
const isPaid = (event: Event): event is Paid => event.type === "turn" || event.type === "written_off";
const tokensOf = (event: Paid): number =>
  event.type === "turn" ? event.inputTokens + event.outputTokens : event.tokens;
const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

function expectTrueAccounts(run: Run, events: Event[]): void {
  const paid = events.filter(isPaid);
  expect(run.microUsd).toBe(sum(paid.map(({ microUsd }) => microUsd)));
  expect(run.inputTokens + run.outputTokens).toBe(sum(paid.map(tokensOf)));
  expect(run).toMatchObject({ reservedMicroUsd: 0, reservedTokens: 0 });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
}

async function expectSameEnd(deaths: Death[], expected: Awaited<ReturnType<typeof undisturbed>>): Promise<void> {
  const { living, runId, calls } = await throughDeaths(deaths);
  const { run, events, hash, pack } = await look(living, runId);
  const where = JSON.stringify(deaths);
  expect(run, where).toMatchObject({ status: "completed", pc: 5, packed: 4, files: expected.run.files });
  expect(hash, where).toBe(expected.hash);
  expect([...pack.keys()].toSorted(), where).toEqual(expected.paths.toSorted());
  expect(calls - expected.calls, where).toBeLessThanOrEqual(deaths.length);
  expect(run.turns, where).toBe(expected.run.turns);
  expectTrueAccounts(run, events);
}

async function undisturbed() {
  const { living, runId, calls } = await throughDeaths([]);
  return { ...(await look(living, runId)), calls, boundaries: living.storage.calls() };
}

const BOUNDARIES = 150;

describe("a process that is killed", () => {
  it.each(["before", "after"] as const)(
    "%s any of its calls leaves a run that another completes: the same files, each answer paid for once",
    async (when) => {
      const expected = await undisturbed();
      expect(expected.paths).toEqual(["a/b.txt", "README.md", "shared.txt"]);
      expectTrueAccounts(expected.run, expected.events);
      expect(expected.boundaries).toBeGreaterThan(BOUNDARIES);
      for (const call of sampledCalls(1, expected.boundaries)) await expectSameEnd([{ call, when }], expected);
    },
  );

  it("is followed by one that is killed too, and another: every death costs at most the call that was in flight", async () => {
    const expected = await undisturbed();
    for (const call of sampledCalls(1, expected.boundaries)) {
      const deaths: Death[] = [
        { call, when: "after" },
        { call: ((call * 7) % 50) + 1, when: "before" },
        { call: ((call * 11) % 40) + 1, when: "after" },
      ];
      await expectSameEnd(deaths, expected);
    }
  });
});
