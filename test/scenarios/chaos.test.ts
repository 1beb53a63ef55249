/** Answers drawn by chance, over few paths that collide: whatever a model does, all that is stored agrees. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { sha256 } from "../../lib/control/files/digest.ts";
import { readPack } from "../../lib/control/files/packs.ts";
import type { EvaluationRequest, Evaluator } from "../../lib/core/ports.ts";
import { isEnded, type Run } from "../../lib/core/run/run.ts";
import { foldPath, parentsOf } from "../../lib/core/text/file-path.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { aMachine, aSubmission, aVerdict, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { placeOf, programOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const homes: TestMachine[] = [];
afterAll(() => {
  for (const machine of homes.splice(0)) machine.removeHome();
});

const PATHS = ["a", "A", "a/b", "A/b", "a/B/c", "x.txt", "X.txt", "é.md", "é.md", "dir/one", "dir/two", "../up", "dir"];
const path = fc.constantFrom(...PATHS);
const content = fc.constantFrom("", "one\n", "two\n", "one\ntwo\n", "x".repeat(3_000));
type Call = [name: string, args: object | string];

const call: fc.Arbitrary<Call> = fc.oneof(
  fc
    .array(fc.record({ path, content }), { minLength: 1, maxLength: 4 })
    .map((files): Call => ["write_files", { files }]),
  fc.array(path, { minLength: 1, maxLength: 4 }).map((paths): Call => ["delete_files", { paths }]),
  fc
    .record({ path, find: fc.constantFrom("one", "two"), replace: fc.constantFrom("one", "three") })
    .map(({ path: file, ...edit }): Call => ["edit_file", { path: file, edits: [edit] }]),
  path.map((file): Call => ["read_files", { files: [file] }]),
  fc.constant<Call>(["run_checks", {}]),
  fc.constant<Call>(["list_files", {}]),
  fc.constant<Call>(["complete_instruction", { summary: "done" }]),
  fc.constant<Call>(["write_files", '{"files": [{"path": "x']),
  fc.constant<Call>(["no_such_tool", {}]),
);
/** Names that differ in case or form, files that become folders, and back. */
const MOVES = [
  ["a", "A"],
  ["a", "a/b"],
  ["A/b", "a"],
  ["x.txt", "X.txt"],
  ["X.txt", "x.txt"],
  ["dir/one", "dir"],
] as const;
const move = fc.tuple(fc.constantFrom(...MOVES), content).map(([[from, to], text]): Call[] => [
  ["delete_files", { paths: [from] }],
  ["write_files", { files: [{ path: to, content: text }] }],
]);
const answer: fc.Arbitrary<Said> = fc
  .tuple(
    fc
      .array(
        fc.oneof(
          call.map((one) => [one]),
          move,
        ),
        { maxLength: 4 },
      )
      .map((calls) => calls.flat()),
    fc.nat(4),
  )
  .map(([calls, chance]) => (chance === 0 ? { calls, finish: "cut" } : { calls, text: "thinking" }));
const answers = fc.array(answer, { minLength: 1, maxLength: 14 });
const death = fc.record({ call: fc.integer({ min: 5, max: 120 }), when: fc.constantFrom("before", "after") });
const deaths = fc.array(death, { maxLength: 3 });

const RUNS = 60;

const scripted = (script: Said[]) => {
  let next = 0;
  return scriptedModel((request): Said => {
    if (placeOf(request).planning) return { calls: [["write_program", { instructions: programOf(3) }]] };
    next += 1;
    return (
      script[next - 1] ?? {
        calls: [
          ["delete_files", { paths: ["x.txt"] }],
          ["complete_instruction", { summary: `${next}` }],
        ],
      }
    );
  });
};

/** Lays the tree from the pack and the changes, as every evaluator does, and holds it to the rules of paths. */
const strictEvaluator: Evaluator = {
  async evaluate({ base, changes }: EvaluationRequest) {
    const tree = unpackTree(await base.load());
    for (const change of changes) if (change.content === null) tree.delete(change.path);
    for (const change of changes) if (change.content) tree.set(change.path, change.content);
    expectPortable([...tree.keys()]);
    const bad = [...tree.values()].some((bytes) => new TextDecoder().decode(bytes) === "two\n");
    return aVerdict(bad ? { tests: { status: "failed", failed: 1 } } : {});
  },
};

function expectPortable(paths: string[]): void {
  const folded = new Set(paths.map(foldPath));
  expect(folded.size, paths.join(" ")).toBe(paths.length);
  for (const each of paths) {
    for (const parent of parentsOf(each)) expect(folded.has(foldPath(parent)), `${each} in ${parent}`).toBe(false);
  }
}

const undying = { call: Number.POSITIVE_INFINITY, when: "before" as const };
type Deaths = { call: number; when: "before" | "after" }[];

/** One process after the other, each killed but the last, until the run has ended. */
async function play(script: Said[], killed: Deaths): Promise<{ machine: TestMachine; run: Run }> {
  const lasting = lastingStorage();
  const answered = scripted(script);
  const open = (death: Deaths[number]) => {
    const stop = new AbortController();
    const storage = mortalStorage(lasting, death, () => stop.abort(new Error("killed")));
    const home = homes[0] ? { home: homes[0].home } : {};
    const machine = aMachine({ model: answered, evaluator: strictEvaluator, storage, ...home });
    if (homes.length === 0) homes.push(machine);
    return { machine, signal: stop.signal };
  };
  const first = open(undying).machine;
  const { id } = await first.submit(await aSubmission({ options: { reflect: 0 } }));
  first.close();
  for (const death of [...killed, undying]) {
    const { machine, signal } = open(death);
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

async function expectAgreement({ machine, run }: { machine: TestMachine; run: Run }): Promise<void> {
  const entries = await machine.registry.allFiles(run.id);
  expectPortable(entries.map((entry) => entry.path));
  expect(run.files).toBe(entries.length);
  const pack = unpackTree(await readPack(machine.files, run.id, run.packed));
  const tree = new Map([...pack].map(([each, bytes]) => [each, sha256(bytes)]));
  // What was committed since the pack, where the run did not come to its end.
  const turns = await machine.registry.turns(run.id, run.packed + 1);
  for (const change of turns.flatMap(({ changes }) => changes)) {
    expect(tree.get(change.path) ?? null).toBe(change.was);
    if (change.sha256 === null) tree.delete(change.path);
    else tree.set(change.path, change.sha256);
  }
  expect(Object.fromEntries(tree)).toEqual(Object.fromEntries(entries.map((entry) => [entry.path, entry.sha256])));
  const { treeHash, expected, difference } = await machine.replay(run.id);
  expect(difference).toBeUndefined();
  expect(treeHash).toBe(expected);
}

describe("whatever a model answers", () => {
  it("directory, journal, pack, evaluator and replay agree, also where processes die on the way", async () => {
    await fc.assert(
      fc.asyncProperty(answers, deaths, async (script, killed) => {
        const ended = await play(script, killed);
        expect(["completed", "partial"]).toContain(ended.run.status);
        await expectAgreement(ended);
      }),
      { numRuns: RUNS, seed: 1 },
    );
  });
});
