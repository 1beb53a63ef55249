/**
 * Runs that are computed by a state machine which version 0.2.0 compiled from their program, while their stack is updated.
 * An execution keeps its definition, so that its states still name instructions and ask for the address of the next one.
 */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../lambdas/handlers.ts";
import { createSweep } from "../../lambdas/sweep.ts";
import type { Invocation } from "../../lib/control/world.ts";
import type { HandlerAnswer } from "../../lib/core/program/advance.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import type { ExecutionState } from "../../lib/core/run/sweep.ts";
import { loadDefinition } from "../../lib/engine/asl-definition.ts";
import type { TaskFunction } from "../../lib/engine/asl-invoke.ts";
import { START_EXECUTION } from "../../lib/engine/asl-schema.ts";
import { createEngine } from "../../lib/engine/engine.ts";
import { look } from "../doubles/deaths.ts";
import { hastyClock } from "../doubles/hasty-clock.ts";
import { alwaysGreen, aSubmission, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { placeOf, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

/** The definition that version 0.2.0 wrote for the program below. */
const COMPILED = brotliDecompressSync(
  readFileSync(new URL("../fixtures/compiled-machine/0.2.0.asl.json.br", import.meta.url)),
).toString();

const PROGRAM = draftFromData({
  instructions: [
    { kind: "group", title: "Begin", body: ["First."] },
    { kind: "for_each", items: ["a", "b"], as: "file", atMost: 3, body: ["Describe {{file}}.", "Check {{file}}."] },
    {
      kind: "if",
      condition: { file: "step-2.txt", exists: true },
      // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
      then: ["It is there."],
      else: ["It is not there."],
    },
    { kind: "repeat", until: { file: "step-8.txt", exists: true }, atMost: 3, body: ["Once more."] },
    { kind: "assert", check: { file: "step-8.txt", exists: true }, otherwise: "stop" },
    { kind: "ask", question: "Which one?", saveTo: "answer.txt" },
    "Last.",
  ],
});

/** The states of the instructions, in the order in which a run executes them before its question. */
const WAY = [
  ...["1.1 First", "2.1 Describe file", "2.2 Check file", "2.1 Describe file", "2.2 Check file"],
  ...["3.then.1 It is there", "4.1 Once more", "4.1 Once more"],
];
const QUESTION = 9;

const writer = () =>
  scriptedModel((request) => {
    const { instruction, answers } = placeOf(request);
    if (answers === 0) return { calls: [writeFile(`step-${instruction}.txt`, `${instruction}\n`)] };
    return { calls: [["complete_instruction", { summary: "done" }]] };
  });

async function aMachineWithRun() {
  if ("problem" in PROGRAM) throw new Error(PROGRAM.problem);
  let laterMs = 0;
  const clock = { ...hastyClock, now: () => hastyClock.now() + laterMs };
  const machine = opened({ model: writer(), evaluator: alwaysGreen, clock });
  const { id } = await machine.submit(await aSubmission({ options: { reflect: 0 }, submission: { program: PROGRAM } }));
  const passAnHour = (): void => {
    laterMs += 3_600_000;
  };
  return { machine, id, passAnHour };
}

interface OldExecution {
  /** So many answers come from functions of version 0.2.0, which name the next instruction. */
  before: number;
  loopLimit?: number;
  /** The execution is stopped after so many answers. */
  stoppedAfter?: number;
}

/** The states of instructions that one execution of the compiled machine enters, with the functions of this version. */
async function playOld(machine: TestMachine, runId: string, how: OldExecution): Promise<string[]> {
  const { before, loopLimit = 1_000, stoppedAfter = Number.POSITIVE_INFINITY } = how;
  const { plan, execute, deliver, recordFailure } = createHandlers(machine.world);
  const { States } = JSON.parse(COMPILED);
  const stopped = new AbortController();
  let answers = 0;
  const task =
    <Input>(handler: (input: Input, invocation: Invocation) => Promise<HandlerAnswer>): TaskFunction =>
    async (payload, invocation) => {
      const answer = { ...(await handler(payload as Input, invocation)) };
      const next = States[WAY[answers] ?? ""];
      answers += 1;
      if (answers === stoppedAfter) stopped.abort();
      return answers <= before && next ? { ...answer, at: next.Arguments.Payload.at } : answer;
    };
  const definition = loadDefinition(COMPILED, {
    ...{ PlanFunction: "plan", ExecuteFunction: "execute", DeliverFunction: "deliver" },
    ...{ RecordFailureFunction: "record-failure", StateMachineArn: "control-unit", Partition: "aws" },
    LoopLimit: String(loopLimit),
  });
  const tasks = {
    ...{ plan: task(plan), execute: task(execute), deliver: task(deliver), "record-failure": task(recordFailure) },
    [START_EXECUTION]: async () => ({}),
  };
  const entered: string[] = [];
  const engine = createEngine({
    ...{ definition, tasks, clock: machine.world.clock, random: () => 0 },
    observe: ({ kind, state }) => void (kind === "entered" && entered.push(state)),
  });
  const { epoch } = (await machine.registry.run(runId)) ?? { epoch: 0 };
  const input = { runId, epoch };
  const { status } = await engine.execute({ name: `${runId}-${epoch}`, input, signal: stopped.signal });
  expect(status).toBe(stopped.signal.aborted ? "ABORTED" : "SUCCEEDED");
  return entered.filter((name) => WAY.includes(name));
}

/** The state machine of this version computes what is left. */
async function endOf(machine: TestMachine, id: string) {
  await machine.compute(id, new AbortController().signal);
  expect(await machine.registry.run(id)).toMatchObject({ status: "waiting", reason: "answer" });
  await machine.answer(id, { step: QUESTION, text: "this" });
  await machine.compute(id, new AbortController().signal);
  const { run, tree, instructions } = await look(machine, id);
  const { status, calls, turns } = run;
  return { status, calls, turns, tree, titles: instructions.map(({ title }) => title) };
}

async function endByThisVersion() {
  const { machine, id } = await aMachineWithRun();
  return endOf(machine, id);
}

describe("a run whose state machine was compiled from its program", () => {
  it("goes on in the general state of that machine, at any instruction before which the stack is updated", async () => {
    const expected = await endByThisVersion();
    expect(expected.status).toBe("completed");
    for (const before of [0, 1, 4, WAY.length]) {
      const { machine, id } = await aMachineWithRun();
      expect(await playOld(machine, id, { before })).toEqual(WAY.slice(0, before));
      expect(await machine.registry.run(id)).toMatchObject({ status: "waiting", reason: "answer", epoch: 1 });
      expect(await endOf(machine, id)).toEqual(expected);
    }
  });

  it("is computed by the state machine of this version from its next epoch on", async () => {
    const { machine, id } = await aMachineWithRun();
    await playOld(machine, id, { before: 2, loopLimit: 3 });
    expect(await machine.registry.run(id)).toMatchObject({ status: "running", epoch: 2 });
    expect(await endOf(machine, id)).toEqual(await endByThisVersion());
  });

  const SWEPT: [ExecutionState, string][] = [
    ["ended", "begins its next epoch"],
    ["failed", "ends the run, which is then resumed"],
  ];
  it.each(SWEPT)(
    "goes on after its last accepted step where its execution %s without ending it: the sweeper %s",
    async (state) => {
      const { machine, id, passAnHour } = await aMachineWithRun();
      await playOld(machine, id, { before: 3, stoppedAfter: 6 });
      const stopped = await machine.registry.run(id);
      expect(stopped).toMatchObject({ status: "running", epoch: 1, packed: 5 });
      passAnHour();
      const executions = { start: async () => {}, find: async () => state };
      const sweep = createSweep({ world: machine.world, executions, onFailure: (_, error) => expect(error).toBe("") });
      const swept = await sweep({ remainingMs: () => 60_000, signal: new AbortController().signal });
      expect(swept).toMatchObject(state === "ended" ? { started: 1 } : { recorded: 1 });
      if (state === "failed") await machine.resume(id, {});
      expect(await machine.registry.run(id)).toMatchObject({ epoch: 2, packed: 5, calls: stopped?.calls });
      expect(await endOf(machine, id)).toEqual(await endByThisVersion());
    },
  );
});
