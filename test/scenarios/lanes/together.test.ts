/** Lanes together with the rest of the machine: evidence, questions, approval, stuck instructions, forks, make, back. */
import { describe, expect, it } from "vitest";
import { submissionOfFork } from "../../../lib/control/fork/submission-of-fork.ts";
import { submissionBefore } from "../../../lib/control/lifecycle/go-back.ts";
import { makeRun } from "../../../lib/control/make/make-run.ts";
import type { ModelRequest } from "../../../lib/core/ports.ts";
import { checkingEvaluator } from "../../doubles/checking-evaluator.ts";
import { look } from "../../doubles/deaths.ts";
import { evidenceOf, prove, proving, requirements, scripted } from "../../doubles/evidence-runs.ts";
import { obey, obeyAtOnce, parts, programIn, submissionOf, textOf } from "../../doubles/lane-programs.ts";
import { aSubmission, compute, type TestMachine } from "../../doubles/machines.ts";
import { nappingClock } from "../../doubles/napping-clock.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { placeOf, type Said, scriptedModel } from "../../doubles/scripted-model.ts";

const { opened: open } = openedMachines();
const opened: typeof open = (parts) => open({ clock: nappingClock, ...parts });
const never = new AbortController().signal;

async function expectReplayed(machine: TestMachine, id: string): Promise<void> {
  const { difference, treeHash, expected } = await machine.replay(id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
}

const typesIn = async (machine: TestMachine, id: string): Promise<string[]> =>
  (await machine.registry.events(id, { after: 0, limit: 10_000 })).map(({ type }) => type);

const joined = (types: string[]): number => types.filter((type) => type === "joined").length;

describe("lanes and evidence", () => {
  const program = (count: number) => ({
    requirements: requirements(count),
    instructions: requirements(count).map(({ id, text }, at) => ({
      ...{ id: `i${at}`, title: text, text, requirements: [id] },
      ...(at === 0 ? {} : { needs: [] }),
    })),
  });
  const proven = (count: number, parallel: number) =>
    aSubmission({
      options: { reflect: 0, evidence: "own", parallel },
      submission: { program: program(count), requirements: requirements(count) },
    });

  it("prove each requirement where the lane did the work, and once more where the run is delivered", async () => {
    const model = scripted([proving("a", "R1"), proving("b", "R2"), proving("c", "R3"), proving("d", "R4")]);
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const run = await compute(machine, await proven(4, 3));
    expect(run).toMatchObject({ status: "completed", proven: { proven: 4, total: 4 } });
    expect(joined(await typesIn(machine, run.id))).toBeGreaterThan(0);
    expect(await evidenceOf(machine, run.id)).toEqual(["R1", "R2", "R3", "R4"].map((id) => [`${id}#1`, 2, "passed"]));
    await expectReplayed(machine, run.id);
  });

  it("join what was accepted without evidence when it was offered again", async () => {
    const named = (name: string) => proving(name, "R1").slice(0, 1);
    const machine = opened({ model: scripted([named("a"), named("b"), named("c")]), evaluator: checkingEvaluator() });
    const run = await compute(machine, await proven(3, 3));
    expect(run).toMatchObject({ status: "partial", reason: "unproven" });
    const types = await typesIn(machine, run.id);
    expect([joined(types) > 0, types.includes("dropped")]).toEqual([true, false]);
    await expectReplayed(machine, run.id);
  });

  it("keep the proofs of two lanes for one requirement apart", async () => {
    const both = (name: string) => [...proving(name, "R1"), [prove("R2", `test/${name}.test.js`)]];
    const model = scripted([both("a"), both("b"), both("c")]);
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const shared = program(3);
    for (const each of shared.instructions) each.requirements = ["R1", "R2"];
    const run = await compute(
      machine,
      await aSubmission({
        options: { reflect: 0, evidence: "own", parallel: 3 },
        submission: { program: { ...shared, requirements: requirements(2) }, requirements: requirements(2) },
      }),
    );
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, total: 2 } });
    await expectReplayed(machine, run.id);
  });
});

describe("lanes and people", () => {
  it("begin after the program was approved", async () => {
    const model = scriptedModel(obey);
    const machine = opened({ model });
    const run = await compute(machine, await submissionOf(parts(4), 3, { approve: "plan" }));
    expect(run).toMatchObject({ status: "waiting", reason: "approval" });
    expect(model.requests).toHaveLength(0);
    await machine.approve(run.id);
    const ended = await machine.compute(run.id, never);
    expect(ended.status).toBe("completed");
    expect(joined(await typesIn(machine, run.id))).toBeGreaterThan(0);
    await expectReplayed(machine, run.id);
  });

  it("stop while the program asks, and go on after the answer", async () => {
    const machine = opened({ model: scriptedModel(obey) });
    const [first, ...rest] = parts(5);
    const ask = { kind: "ask", id: "q", title: "Colour", question: "Which colour?", saveTo: "colour.md" };
    const run = await compute(machine, await submissionOf([first, ask, ...rest], 3));
    expect(run).toMatchObject({ status: "waiting", reason: "answer" });
    await machine.answer(run.id, { text: "Red" });
    const ended = await machine.compute(run.id, never);
    expect(ended.status).toBe("completed");
    const { tree } = await look(machine, run.id);
    expect(Object.keys(tree)).toHaveLength(6);
    await expectReplayed(machine, run.id);
  });
});

/** Never completes an instruction with this title. */
const lost =
  (title: string) =>
  (request: ModelRequest): Said =>
    textOf(request).includes(`: ${title}\n`) ? { calls: [["list_files", {}]] } : obey(request);

describe("lanes and a stuck instruction", () => {
  it("stop the run after the others are done, and resume goes on there", async () => {
    let script = lost("Part 2");
    const machine = opened({ model: scriptedModel((request) => script(request)) });
    const run = await compute(machine, await submissionOf(parts(6), 3));
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 3 });
    const { instructions } = await look(machine, run.id);
    expect(instructions.filter(({ ahead }) => ahead?.state === "finished").map(({ number }) => number)).toEqual([
      4, 5, 6,
    ]);
    script = obey;
    await machine.resume(run.id, { hint: "Finish it." });
    expect((await machine.compute(run.id, never)).status).toBe("completed");
    await expectReplayed(machine, run.id);
  });

  it("skip it where that was chosen", async () => {
    const machine = opened({ model: scriptedModel(lost("Part 2")) });
    const run = await compute(machine, await submissionOf(parts(6), 3, { onTrap: "skip" }));
    expect(run).toMatchObject({ skipped: 1, pc: 7 });
    const { tree } = await look(machine, run.id);
    expect(Object.keys(tree)).toHaveLength(5);
    await expectReplayed(machine, run.id);
  });
});

describe("a new run of one with lanes", () => {
  const whole = async (machine: TestMachine) => compute(machine, await submissionOf(parts(5), 3));

  it("is forked after each instruction, joined ones too", async () => {
    // Each instruction takes two turns, of which a join shows one.
    const machine = opened({ model: scriptedModel(obey) });
    const run = await whole(machine);
    const { instructions } = await look(machine, run.id);
    expect(instructions.some(({ ahead, turns }) => ahead?.state === "joined" && turns > 1)).toBe(true);
    for (const at of ["1", "2", "3", "4"]) {
      const forked = await compute(machine, await submissionOfFork(machine, run, { name: "fork", at }));
      expect(forked, at).toMatchObject({ status: "completed", files: 5, calls: 2 * (5 - Number(at)) });
      await expectReplayed(machine, forked.id);
    }
  });

  it("takes over joined steps without a call", async () => {
    const machine = opened({ model: scriptedModel(obeyAtOnce) });
    const run = await whole(machine);
    const changed = parts(5).map((each, at) => (at === 3 ? { ...each, text: "write src/other.txt other" } : each));
    const { submission, plan } = await makeRun(machine, run, { name: "again", program: programIn(changed) });
    expect(plan.steps.map(({ decision }) => decision)).toEqual(["copy", "copy", "copy", "execute", "copy"]);
    const made = await compute(machine, submission);
    expect(made).toMatchObject({ status: "completed", calls: 1 });
    await expectReplayed(machine, made.id);
  });

  it("begins where another stood before an instruction", async () => {
    const machine = opened({ model: scriptedModel(obeyAtOnce) });
    const run = await whole(machine);
    const begun = await compute(machine, await submissionBefore(machine, run, { to: 3, name: "again" }));
    expect(begun).toMatchObject({ status: "completed", instructions: 3, files: 5 });
    await expectReplayed(machine, begun.id);
  });
});

describe("lanes and a program with blocks", () => {
  it("execute one step after the other", async () => {
    const model = scriptedModel(obeyAtOnce);
    const machine = opened({ model });
    const group = { kind: "group", title: "Both", body: parts(2).map(({ needs: _needs, ...each }) => each) };
    const run = await compute(machine, await submissionOf([group], 3));
    expect(run.status).toBe("completed");
    expect(joined(await typesIn(machine, run.id))).toBe(0);
    expect(model.requests.map((each) => placeOf(each).instruction)).toEqual([1, 2]);
  });
});
