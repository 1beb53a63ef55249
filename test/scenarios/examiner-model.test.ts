/** A run whose examiner has a model of its own: who is asked when, at what price, and what stays through resume and make. */
import { afterEach, describe, expect, it } from "vitest";
import { makeRun } from "../../lib/control/make/make-run.ts";
import { ModelError } from "../../lib/core/errors.ts";
import type { Model } from "../../lib/core/ports.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { throughDeaths } from "../doubles/deaths.ts";
import { check, code, examined, program, prove, requirements, write } from "../doubles/evidence-runs.ts";
import { aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { aRun } from "../doubles/runs.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { type Call, type ScriptedModel, scriptedModel } from "../doubles/scripted-model.ts";
import { type ScriptedAnswer, type ScriptedServer, startScriptedServer } from "../servers/scripted-openai.ts";

const { machines, opened } = openedMachines();

const profile = { ...aRun().profile, model: "engineer", price: { input: 2, output: 10 } };
const stranger = { ...profile, model: "stranger", price: { input: 4, output: 20 }, contextWindow: 64_000 };
const examiner = { ...stranger, examines: true as const };

const checks: Call[][] = [[write(check("a", "return 1"))], [prove("R1", "test/a.test.js")]];
const turns: Call[][][] = [[[write(code("a", "return 1;"))]]];
const works = () => examined(checks, turns);

const listed = (models = [profile, examiner], options: Partial<RunOptions> = {}) =>
  aSubmission({
    options: { reflect: 0, evidence: "strict", budget: { usd: 5 }, ...options },
    profile,
    submission: { models, program: program(1), requirements: requirements(1) },
  });

const modelOf =
  (models: Record<string, Model>) =>
  (run: Run): Model => {
    const model = models[run.profile.model];
    if (!model) throw new Error(`No model answers for ${run.profile.model}.`);
    return model;
  };
const machineOf = (models: Record<string, Model>, home?: string): TestMachine =>
  opened({ modelFor: modelOf(models), evaluator: checkingEvaluator(), ...(home ? { home } : {}) });

const isExamining = ({ requests }: ScriptedModel): boolean[] =>
  requests.map(({ messages }) => messages.some(({ content }) => content.startsWith("Examining the requirements")));

const COST = { engineer: 2 * 1_000 + 10 * 100, stranger: 4 * 1_000 + 20 * 100 };

/** The model of the examiner gives no answer after its first turn. */
const failing = () =>
  scriptedModel(({ messages }) => {
    if (messages.some(({ role }) => role === "assistant"))
      throw new ModelError("No quota is left.", { kind: "quota", perhapsPaid: false });
    return { calls: checks[0] ?? [] };
  });

const replays = async (machine: TestMachine, { id }: Run): Promise<void> => {
  const { difference, treeHash, expected } = await machine.replay(id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
};

describe("the model of an examiner", () => {
  it("is asked for the checks alone, at its own price, and is named with its share", async () => {
    const [engineer, other] = [works(), works()];
    const machine = machineOf({ engineer, stranger: other });
    const run = await compute(machine, await listed());
    expect(run).toMatchObject({ status: "completed", profile: { model: "engineer" }, proven: { proven: 1 } });
    expect([isExamining(other), isExamining(engineer)]).toEqual([
      [true, true, true],
      [false, false],
    ]);
    expect(run.paid).toEqual([2 * COST.engineer, 3 * COST.stranger]);
    expect(run.microUsd).toBe(2 * COST.engineer + 3 * COST.stranger);
    const events = await machine.registry.events(run.id, { after: 0, limit: 1_000 });
    expect(events.flatMap((event) => (event.type === "turn" ? [[event.model, event.microUsd]] : []))).toEqual([
      ...Array.from({ length: 3 }, () => ["stranger", COST.stranger]),
      ...Array.from({ length: 2 }, () => ["engineer", COST.engineer]),
    ]);
    const { payload } = JSON.parse(
      new TextDecoder().decode(await machine.files.get(`runs/${run.id}/manifest.json`)),
    ) as { payload: string };
    expect(atob(payload)).toContain('{"examines":true,"model":"stranger","share":');
    await replays(machine, run);
  });

  it("is asked for nothing that its price would take over the ceiling", async () => {
    const dear = { ...examiner, price: { input: 4_000, output: 20_000 } };
    const other = works();
    const run = await compute(machineOf({ engineer: works(), stranger: other }), await listed([profile, dear]));
    expect(run).toMatchObject({ status: "partial", reason: "usd", microUsd: 0 });
    expect(other.requests).toEqual([]);
  });

  it("is no fallback of the run's models, and they are none of it", async () => {
    const second = { ...profile, model: "second" };
    const models = { engineer: works(), second: works(), stranger: failing() };
    const run = await compute(machineOf(models), await listed([profile, second, examiner]));
    expect(run).toMatchObject({ status: "failed", reason: "provider", profile: { model: "stranger" } });
    expect([models.engineer.requests, models.second.requests]).toEqual([[], []]);
  });

  it("goes on after a resume with another model of the run, which is asked for the rest", async () => {
    const first = machineOf({ engineer: works(), stranger: failing() });
    const stopped = await compute(first, await listed());
    expect(stopped).toMatchObject({ reason: "provider", turns: 1 });
    const models = { engineer: works(), stranger: works(), second: works() };
    const machine = machineOf(models, first.home);
    await machine.resume(stopped.id, { models: { profile: { ...profile, model: "second" }, server: {} } });
    const run = await machine.compute(stopped.id, new AbortController().signal);
    expect(run).toMatchObject({ status: "completed", profile: { model: "second" } });
    expect([isExamining(models.stranger), isExamining(models.second)]).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(models.engineer.requests).toEqual([]);
    await replays(machine, run);
  });

  it("is replaced by a resume with another one, in the middle of its turns", async () => {
    const first = machineOf({ engineer: works(), stranger: failing() });
    const stopped = await compute(first, await listed());
    const models = { engineer: works(), third: works() };
    const machine = machineOf(models, first.home);
    await machine.resume(stopped.id, { examiners: [{ ...examiner, model: "third" }] });
    const run = await machine.compute(stopped.id, new AbortController().signal);
    expect(run).toMatchObject({ status: "completed", profile: { model: "engineer" } });
    expect([isExamining(models.third), isExamining(models.engineer)]).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(run.paid).toEqual([2 * COST.engineer, COST.stranger, 2 * COST.stranger]);
    expect(run.format).toBe(5);
    await replays(machine, run);
  });

  it("makes a record that earlier versions leave alone, also where a resume names it first", async () => {
    const first = machineOf({ engineer: failing() });
    const options = { reflect: 0, evidence: "independent" as const, budget: { usd: 5 } };
    const given = { program: program(1), requirements: requirements(1) };
    const stopped = await compute(first, await aSubmission({ options, profile, submission: given }));
    expect(stopped).toMatchObject({ reason: "provider", format: 4 });
    const machine = machineOf({ engineer: works(), stranger: works() }, first.home);
    await machine.resume(stopped.id, { examiners: [examiner] });
    expect(await machine.compute(stopped.id, new AbortController().signal)).toMatchObject({
      ...{ status: "completed", format: 5 },
    });
  });

  it("cannot be named for a run whose checks are written", async () => {
    const machine = machineOf({ engineer: failing(), stranger: works() });
    const run = await compute(machine, await listed());
    expect(run).toMatchObject({ reason: "provider", profile: { model: "engineer" } });
    await expect(machine.resume(run.id, { examiners: [examiner] })).rejects.toThrow("--examiner-model changes nothing");
  });

  it("is that of a run that make begins, unless there is no examiner in it", async () => {
    const machine = machineOf({ engineer: works(), stranger: works() });
    const run = await compute(machine, await listed());
    const models = { engineer: works(), stranger: works() };
    const later = machineOf(models, machine.home);
    const { submission } = await makeRun(later, run, { name: "again" });
    expect(submission.models?.map(({ model, examines }) => [model, examines])).toEqual([
      ["engineer", undefined],
      ["stranger", true],
    ]);
    expect(await compute(later, submission)).toMatchObject({ status: "completed" });
    expect(isExamining(models.stranger)).toEqual([true, true, true]);
    const { evidence: _evidence, ...options } = run.options;
    const made = await makeRun(later, { ...run, options }, { name: "without" });
    expect(made.submission.models).toBeUndefined();
  });

  it("is asked by the next process where one dies in its turns", async () => {
    const model = () => modelOf({ engineer: works(), stranger: works() });
    const begin = async () => ({
      ...{ submission: await listed(), model: model(), evaluator: checkingEvaluator(), homes: machines },
    });
    const expected = await throughDeaths(await begin(), []);
    expect(expected.run).toMatchObject({ status: "completed", turns: 5 });
    for (const call of sampledCalls(1, expected.boundaries)) {
      const { run, hash } = await throughDeaths(await begin(), [{ call, when: "after" }]);
      expect([call, run.status, run.profile.model, hash]).toEqual([call, "completed", "engineer", expected.hash]);
      expect(run.paid?.[1], `${call}`).toBeGreaterThanOrEqual(3 * COST.stranger);
    }
  });
});

describe("through the real command", () => {
  let bench: Bench;
  let server: ScriptedServer | undefined;
  afterEach(async () => {
    await server?.close();
    bench.remove();
  });

  const call = (name: string, args: object): ScriptedAnswer => ({ toolCalls: [{ name, arguments: args }] });
  const begin = async (...flags: string[]) => {
    bench = aBench();
    server = await startScriptedServer({ answer: () => call("complete_instruction", { summary: "done" }) });
    bench.configure({ models: { stranger: { price: { input: 4, output: 20 } } } });
    bench.write("program.json", JSON.stringify(program(1)));
    const model = ["--base-url", server.url, "--model", "engineer", "--price", "2,10"];
    return bench.run(["A part", "--program", "program.json", "--no-install", ...model, ...flags]);
  };

  it("--examiner-model is asked for the checks, and log, status, report and cost name it", async () => {
    const { code: ended, stderr } = await begin("--evidence", "independent", "--examiner-model", "stranger");
    expect(ended, stderr).toBe(1);
    expect(stderr).toMatch(/model engineer, stranger for the checks at 127\.0\.0\.1/);
    expect(server?.requests.map(({ model }) => model)).toEqual([
      ...["stranger", "stranger"],
      ...["engineer", "engineer", "engineer"],
    ]);
    const { stdout } = await bench.run(["status"]);
    expect(stdout).toMatch(/^model +engineer, .*; of engineer \(\$0\.\d+\), stranger for the checks \(\$0\.\d+\)$/m);
    expect((await bench.run(["log"])).stdout).toContain("switched from engineer to stranger: it writes the checks");
    await bench.run(["report", "--out", "made"]);
    expect(bench.read("made/index.html")).toContain("engineer, stranger for the checks");
  });

  it.each([["own"], ["off"]])("--examiner-model is refused with --evidence %s: there is no examiner", async (kind) => {
    const { code: ended, stderr } = await begin("--evidence", kind, "--examiner-model", "stranger");
    expect(ended).toBe(2);
    expect(stderr).toContain(
      `--examiner-model names the model of an examiner, and with --evidence ${kind} there is none.`,
    );
    expect(stderr).toContain("Give --evidence independent or strict, or leave --examiner-model out.");
    expect(server?.requests).toEqual([]);
  });

  it("a model set for all runs holds for those with an examiner, and is left out of the others", async () => {
    bench = aBench({ L2MAC_EXAMINER_MODEL: "stranger" });
    const rehearsed = await bench.run(["A part", "--rehearse", "--dry-run"]);
    expect(rehearsed).toMatchObject({ code: 0, stderr: expect.not.stringContaining("examiner") });
  });

  it("a model without a price, or a rehearsal, is refused as with --model", async () => {
    const rehearsed = await begin("--evidence", "strict", "--examiner-model", "rehearsal");
    expect(rehearsed).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be combined with other") });
    const wrong = await bench.run(["A part", "--rehearse", "--evidence", "strict", "--examiner-model", "a,,b"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--examiner-model") });
  });
});
