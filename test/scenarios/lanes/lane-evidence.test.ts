/** Evidence and lanes: a lane sees that of the run as it was at its pack, and the run takes over what the lane gathered. */
import { expect, it } from "vitest";
import { withoutOvertaken } from "../../../lib/control/evidence/step-evidence.ts";
import { evidenceAtPack, evidenceInLane } from "../../../lib/control/lanes/lane-evidence.ts";
import { takeStep } from "../../../lib/control/lanes/take-step.ts";
import { LANE_FACTS } from "../../../lib/control/turn/body-kinds.ts";
import { readBody } from "../../../lib/control/turn/journal.ts";
import type { World } from "../../../lib/control/world.ts";
import type { Evidence } from "../../../lib/core/evidence/evidence.ts";
import { PROOFS_PER_TURN } from "../../../lib/core/limits.ts";
import type { Instruction } from "../../../lib/core/program/program.ts";
import { fileStoreKeys } from "../../../lib/registry/keys.ts";
import { createRegistry } from "../../../lib/registry/registry.ts";
import { checkingEvaluator } from "../../doubles/checking-evaluator.ts";
import { check, code, prove, proving, requirements, scripted, write } from "../../doubles/evidence-runs.ts";
import { fakeClock } from "../../doubles/fake-clock.ts";
import { aSubmission, compute } from "../../doubles/machines.ts";
import { lastingStorage } from "../../doubles/mortal-storage.ts";
import { nappingClock } from "../../doubles/napping-clock.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { aRun } from "../../doubles/runs.ts";

const { opened } = openedMachines();

const passed = { status: "passed", detail: "", output: "", tree: "t" } as const;
const proof = (n: number, instruction: number): Evidence => ({
  ...{ requirement: "R1", n, instruction, turn: 1, at: "2026-01-01T00:00:00.000Z", grade: 2 },
  ...{ check: { tests: ["test/a.test.js"] }, base: passed, work: passed },
});

it("is what the lane reads, however the run goes on", async () => {
  const { table, files } = lastingStorage();
  const registry = createRegistry({ table, clock: fakeClock(0) });
  const { options } = aRun();
  await registry.create(aRun({ options: { ...options, parallel: 2, evidence: "own" }, packed: 1, pc: 2 }));
  const claimed = await registry.claim(aRun().id, aRun().epoch);
  let run = await registry.commit(claimed, { evidence: [proof(1, 1)] });
  // The instruction after the pack proves the same again, before the lane takes its own.
  const replaced = { of: { requirement: "R1", n: 1 }, set: { replacedBy: 2 } };
  run = await registry.commit(run, { evidence: [proof(2, 2)], evidenceFound: [replaced] });
  const world = { files, registry: { ...registry, takeStep: async () => run } } as unknown as World;
  await takeStep(world, run, { lane: 2, instruction: { number: 3 } as Instruction });
  const { evidence } = await readBody(files, { key: fileStoreKeys(run.id).laneFacts(2, 1) }, LANE_FACTS);
  const again = { ...passed, tree: "u", instruction: 2 };
  await registry.commit(run, { evidenceFound: [{ ...replaced, set: { again } }] });
  const seen = await evidenceInLane({ registry, files }, { ...run, lane: 2, pc: 3 }, evidence);
  expect(await seen.read()).toEqual([proof(1, 1)]);
});

it("is not met for a lane by an instruction after its pack", async () => {
  const { table } = lastingStorage();
  const registry = createRegistry({ table, clock: fakeClock(0) });
  const { options } = aRun();
  await registry.create(aRun({ options: { ...options, parallel: 2, evidence: "independent" }, packed: 1, pc: 2 }));
  const run = await registry.claim(aRun().id, aRun().epoch);
  const declared: Evidence = { ...proof(1, 0), grade: 1, independent: true };
  const met = (n: number, metIn: number): Evidence => ({
    ...{ ...declared, n, grade: 2, metIn },
    ...{ stubs: { ...passed, status: "refuted", bodies: 1, files: 1 }, again: { ...passed, instruction: metIn } },
  });
  await registry.commit(run, { evidence: [met(1, 1), met(2, 2)] });
  expect(await evidenceAtPack({ registry }, run)).toEqual([met(1, 1), { ...declared, n: 2 }]);
});

it("is taken over with the work of the lane, as much as it gathers in several turns", async () => {
  const all = requirements(13);
  const [, ...own] = all.map(({ id }, at) => ({ id, name: `f${at}` }));
  const files = Object.assign(
    {},
    ...own.map(({ name }) => ({ ...code(name, "return 1;"), ...check(name, "return 1") })),
  );
  const proofs = own.map(({ id, name }) => prove(id, `test/${name}.test.js`));
  const model = scripted([
    proving("z", "R1"),
    [[write(files)], proofs.slice(0, PROOFS_PER_TURN), proofs.slice(PROOFS_PER_TURN)],
  ]);
  const machine = opened({ model, evaluator: checkingEvaluator(), clock: nappingClock });
  const instructions = [["R1"], own.map(({ id }) => id)].map((served, at) => ({
    ...{ id: `i${at}`, title: `Part ${at}`, text: "Write it.", needs: [], requirements: served },
  }));
  const run = await compute(
    machine,
    await aSubmission({
      options: { reflect: 0, evidence: "own", parallel: 2 },
      submission: { program: { requirements: all, instructions }, requirements: all },
    }),
  );
  expect(run).toMatchObject({ status: "completed", calls: 3 + 4, proven: { proven: 13, total: 13 } });
  // Where the run itself was first, there is no lane's work to drop.
  expect((await machine.registry.instruction(run.id, 2))?.ahead?.state ?? "joined").toBe("joined");
});

it("is taken over without what the lane itself overtook, where it is too much", () => {
  const of = (path: string, over: Partial<Evidence> = {}) => ({ ...proof(1, 2), check: { tests: [path] }, ...over });
  const [weak, failed, strong, other] = [of("a", { grade: 1 }), of("b"), of("b"), of("c", { requirement: "R2" })];
  expect(withoutOvertaken([weak, failed, strong, other])).toEqual([strong, other]);
});
