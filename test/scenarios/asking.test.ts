/** A question to a person: the run waits at no cost, one answer becomes a file, and the run goes on from there. */
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../lambdas/handlers.ts";
import { createSweep } from "../../lambdas/sweep.ts";
import { readPack } from "../../lib/control/files/packs.ts";
import { treeHash } from "../../lib/control/files/tree-hash.ts";
import { createRunCommands } from "../../lib/control/lifecycle/run-commands.ts";
import { ANSWER_BYTES } from "../../lib/core/limits.ts";
import { exitCodeOf } from "../../lib/core/run/exit-codes.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { Machine, Storage } from "../../lib/local/machine.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { askedRun, COLOURS, OPEN_QUESTION } from "../doubles/asked-run.ts";
import { laterClock } from "../doubles/hasty-clock.ts";
import { alwaysGreen, aMachine, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { machines } = openedMachines();
const never = new AbortController().signal;
const invocation = { remainingMs: () => 800_000, signal: never };

const writer = () => scriptedModel(writerOf(3, (n) => [{ path: `f${n}.txt`, content: `text ${n}\n` }]));

function opened(given: Parameters<typeof aMachine>[0] = {}): TestMachine {
  const machine = aMachine({ model: writer(), evaluator: alwaysGreen, ...given });
  machines.push(machine);
  return machine;
}

const standing = async (machine: Machine, { id }: Pick<Run, "id">): Promise<Run> => {
  const run = await machine.registry.run(id);
  if (!run) throw new Error("gone");
  return run;
};

async function answerAndCompute(machine: Machine, { id }: Run, text: string): Promise<Run> {
  await machine.answer(id, { text });
  return machine.compute(id, never);
}

const fileOf = async (machine: Machine, { id, packed }: Run, path: string): Promise<string> =>
  new TextDecoder().decode(unpackTree(await readPack(machine.files, id, packed)).get(path));

describe("a run that asks", () => {
  it("waits: no time is due, none is counted, and the question is in its record and its events", async () => {
    const machine = opened();
    const run = await askedRun(machine, COLOURS);
    expect(run).toMatchObject({ status: "waiting", reason: "answer", pc: 1, instructions: 3 });
    expect(run.question).toEqual({ step: 1, text: "Which colour? One of these.", choices: ["Red", "Green"] });
    expect(run.detail).toBe("Waiting for an answer: Which colour? One of these.");
    for (const gone of ["dueAt", "activeShard", "markedAt", "waitUntil"]) expect(run).not.toHaveProperty(gone);
    expect(exitCodeOf(run)).toBe(9);
    expect(await machine.registry.instruction(run.id, 1)).toMatchObject({
      kind: "ask",
      status: "running",
      ...{ saveTo: "colour.md", choices: COLOURS.choices },
    });
    const events = await machine.registry.events(run.id, { after: 0, limit: 100 });
    expect(events.at(-2)).toMatchObject({ type: "asked", instruction: 1, title: "Which colour?", ...COLOURS });
  });

  it("keeps its record small, however long the question", async () => {
    const choices = Array.from({ length: 20 }, (_, n) => `${n} ${"x".repeat(190)}`);
    const { question } = await askedRun(opened(), { question: "why ".repeat(2_000), choices, saveTo: "a.md" });
    expect(JSON.stringify(question).length).toBeLessThan(2_600);
  });

  it("counts no minute of the waiting, and is not seen by the sweeper", async () => {
    const clock = laterClock();
    const machine = opened({ clock });
    const run = await askedRun(machine, OPEN_QUESTION, { options: { budget: { minutes: 5 } } });
    clock.advance(72 * 3_600_000);
    const started: string[] = [];
    const executions = { start: async (id: string) => void started.push(id), find: async () => "ended" as const };
    const onFailure = (_: unknown, error: unknown) => {
      throw error;
    };
    const swept = await createSweep({ world: machine.world, executions, onFailure })(invocation);
    expect(swept).toEqual({ started: 0, extended: 0, recorded: 0, deleted: 0, failed: 0 });
    await machine.sweep();
    expect(await standing(machine, run)).toEqual(run);
    const done = await answerAndCompute(machine, run, "Ada");
    expect(done.status).toBe("completed");
    expect(done.activeMs).toBeLessThan(300_000);
  });

  it("is moved neither by what comes late nor by a process that stops", async () => {
    const machine = opened();
    const run = await askedRun(machine);
    const handlers = createHandlers(machine.world);
    const input = { runId: run.id, epoch: run.epoch };
    expect(await handlers.plan(input, invocation)).toEqual({ next: "stop" });
    expect(await handlers.execute(input, invocation)).toEqual({ next: "stop" });
    expect(await handlers.recordFailure({ ...input, error: "States.Timeout", cause: "" })).toEqual({ next: "stop" });
    expect(await machine.compute(run.id, AbortSignal.abort())).toEqual(run);
  });

  it("ends where the answer could not be a file: given by the user, or inside a file", async () => {
    const machine = opened();
    const over = {
      submission: {
        tests: ["test/a.test.js"],
        from: new Map([["test/a.test.js", new TextEncoder().encode("// a\n")]]),
      },
      options: { from: true as const },
    };
    const run = await askedRun(machine, { question: "Which?", saveTo: "test/a.test.js" }, over);
    expect(run).toMatchObject({ status: "partial", reason: "check_failed" });
    expect(run.detail).toContain(
      "Instruction 1 cannot ask, since its answer could not be saved: test/a.test.js was given",
    );
    expect(run).not.toHaveProperty("question");
  });
});

describe("an answer", () => {
  it("becomes the file and the hand-over, without a call of the model, and the program goes on", async () => {
    const model = writer();
    const machine = opened({ model });
    const run = await askedRun(machine);
    expect(await machine.answer(run.id, { step: 1, text: "The Analytical Engine" })).toMatchObject({
      isNew: true,
      run: { status: "running", epoch: run.epoch + 1 },
    });
    const done = await machine.compute(run.id, never);
    expect(done).toMatchObject({ status: "completed", pc: 4, files: 3 });
    expect(done).not.toHaveProperty("question");
    expect(await fileOf(machine, done, "docs/name.md")).toBe("The Analytical Engine\n");
    expect(await machine.registry.instruction(run.id, 1)).toMatchObject({
      status: "accepted",
      summary: "The Analytical Engine",
      turns: 0,
      microUsd: 0,
    });
    const [first] = model.requests;
    expect(JSON.stringify(first)).toContain("It is data for the work: The Analytical Engine");
    const events = await machine.registry.events(run.id, { after: 0, limit: 100 });
    const own = events.filter((event) => "instruction" in event && event.instruction === 1);
    expect(own.map(({ type }) => type)).toEqual(["instruction_started", "asked", "answered", "instruction_accepted"]);
  });

  it("is a turn of the journal with the text, and files of the step's pack", async () => {
    const machine = opened();
    const run = await askedRun(machine);
    await answerAndCompute(machine, run, "Ada\nLovelace\n");
    const turns = await machine.registry.turns(run.id, 1);
    expect(turns).toMatchObject([
      { turn: 1, state: "committed", outcome: "answer", microUsd: 0, changes: [{ path: "docs/name.md", was: null }] },
    ]);
    const effects = new TextDecoder().decode(await machine.files.get(turns[0]?.effectsKey ?? ""));
    expect(JSON.parse(effects).saved).toEqual({ path: "docs/name.md", text: "Ada\nLovelace\n" });
    expect([...unpackTree(await readPack(machine.files, run.id, 1)).keys()]).toEqual(["docs/name.md"]);
  });

  it.each([
    ["by its number", { choice: 2 }],
    ["by its words", { text: " green\n" }],
  ])("chooses %s", async (_, given) => {
    const machine = opened();
    const run = await askedRun(machine, COLOURS);
    await machine.answer(run.id, given);
    expect(await fileOf(machine, await machine.compute(run.id, never), "colour.md")).toBe("Green\n");
  });

  it.each([
    ["nothing", OPEN_QUESTION, {}, "is empty", "text"],
    ["blanks", OPEN_QUESTION, { text: " \n" }, "is empty", "text"],
    ["bytes", OPEN_QUESTION, { text: "a\0b" }, "not plain text", "text"],
    ["too much", OPEN_QUESTION, { text: "é".repeat(ANSWER_BYTES / 2 + 1) }, `at most ${ANSWER_BYTES} fit`, "text"],
    ["a choice where there is none", OPEN_QUESTION, { choice: 1 }, "has no choices", "choice"],
    ["a choice that is not there", COLOURS, { choice: 3 }, "There is no choice 3: 1) Red, 2) Green.", "choice"],
    ["choice 0", COLOURS, { choice: 0 }, "There is no choice 0", "choice"],
    ["other words", COLOURS, { text: "Blue" }, "none of the choices: 1) Red, 2) Green.", "text"],
    ["both", COLOURS, { text: "Red", choice: 1 }, "not both", "choice"],
    ["another step", COLOURS, { step: 2, choice: 1 }, "Instruction 2 of run", "step"],
  ])("that is %s is refused, and the run waits on", async (_, asked, given, problem, field) => {
    const machine = opened();
    const run = await askedRun(machine, asked);
    await expect(machine.answer(run.id, given)).rejects.toMatchObject({
      message: expect.stringContaining(problem),
      ...{ field, exitCode: 2, remedy: { command: "answer", args: [run.id] } },
    });
    expect(await standing(machine, run)).toEqual(run);
  });

  it("given twice is one answer, before the file is written and after it", async () => {
    const machine = opened();
    const run = await askedRun(machine);
    await machine.answer(run.id, { text: "Ada" });
    expect(await machine.answer(run.id, { text: "Ada\n" })).toMatchObject({ isNew: false });
    await expect(machine.answer(run.id, { text: "Bob" })).rejects.toThrow("was answered already: Ada");
    const done = await machine.compute(run.id, never);
    expect(await machine.answer(run.id, { step: 1, text: "Ada" })).toEqual({ run: done, isNew: false });
    await expect(machine.answer(run.id, { text: "Bob" })).rejects.toMatchObject({
      message: expect.stringContaining("was answered already: Ada"),
      remedy: { command: "status" },
    });
    expect(await standing(machine, run)).toEqual(done);
  });

  it("is one of two that come at once, and the other is refused with it", async () => {
    const machine = opened();
    const run = await askedRun(machine);
    const both = await Promise.allSettled(["Ada", "Bob"].map((text) => machine.answer(run.id, { text })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const lost = both.find(({ status }) => status === "rejected");
    const file = await fileOf(machine, await machine.compute(run.id, never), "docs/name.md");
    expect(lost).toMatchObject({
      reason: { message: expect.stringContaining(`was answered already: ${file.trim()}`) },
    });
  });

  it("is not taken by a run that does not ask, that was cancelled, or that is gone", async () => {
    const machine = opened();
    const run = await askedRun(machine);
    expect(await machine.cancel(run.id)).toMatchObject({ status: "cancelled" });
    await expect(machine.answer(run.id, { text: "Ada" })).rejects.toMatchObject({
      message: expect.stringContaining("its question has no answer"),
      remedy: { command: "resume", args: [run.id] },
    });
    expect(await machine.remove(run.id)).toBe("deleted");
    await expect(machine.answer(run.id, { text: "Ada" })).rejects.toThrow("There is no run");
    const done = await answerAndCompute(machine, await askedRun(machine), "Ada");
    await expect(machine.answer(done.id, { step: 2, text: "Ada" })).rejects.toThrow(
      "waits for no answer: it is completed",
    );
  });

  it("with a secret is masked where it is shown; the file has it", async () => {
    const machine = opened();
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const run = await askedRun(machine);
    const done = await answerAndCompute(machine, run, `The token is ${secret}.`);
    expect(await fileOf(machine, done, "docs/name.md")).toContain(secret);
    const shown = JSON.stringify([
      await machine.registry.events(run.id, { after: 0, limit: 100 }),
      await machine.registry.instructions(run.id),
      done,
    ]);
    expect(shown).not.toContain(secret);
    expect(shown).toContain("[secret: github token]");
    await expect(machine.answer(run.id, { step: 1, text: "x" })).rejects.toThrow("[secret: github token]");
  });
});

describe("while a question is open", () => {
  it("the run is neither resumed, approved nor rejected: what it waits for is named", async () => {
    const machine = opened();
    const run = await askedRun(machine);
    const named = { exitCode: 2, remedy: { command: "answer", args: [run.id] } };
    await expect(machine.resume(run.id, {})).rejects.toMatchObject({
      ...named,
      message: expect.stringContaining("waits for an answer"),
    });
    await expect(machine.approve(run.id)).rejects.toMatchObject(named);
    await expect(machine.reject(run.id)).rejects.toMatchObject(named);
    expect(await standing(machine, run)).toEqual(run);
  });

  it("a cancelled run asks again once it is resumed, and takes the answer then", async () => {
    const machine = opened();
    const run = await askedRun(machine);
    await machine.cancel(run.id);
    expect(await machine.resume(run.id, {})).toMatchObject({
      status: "waiting",
      reason: "answer",
      question: run.question,
    });
    expect(await machine.compute(run.id, never)).toMatchObject({ status: "waiting", reason: "answer" });
    expect((await answerAndCompute(machine, run, "Ada")).status).toBe("completed");
  });

  it("the run can be deleted", async () => {
    const machine = opened();
    expect(await machine.remove((await askedRun(machine)).id)).toBe("deleted");
  });
});

describe("a process that dies around an answer", () => {
  it("in the cloud leaves a run that the sweeper starts, or that the same answer starts again", async () => {
    const clock = laterClock();
    const machine = opened({ clock });
    const run = await askedRun(machine);
    const dead = createRunCommands({
      world: machine.world,
      executions: { start: () => Promise.reject(new Error("killed")) },
    });
    await expect(dead.answer(run.id, { text: "Ada" })).rejects.toThrow("killed");
    const started: string[] = [];
    const executions = { start: async (id: string, epoch: number) => void started.push(`${id}-${epoch}`) };
    await createRunCommands({ world: machine.world, executions }).answer(run.id, { text: "Ada" });
    clock.advance(3_600_000);
    const find = async () => "absent" as const;
    const sweep = createSweep({ world: machine.world, executions: { ...executions, find }, onFailure: () => {} });
    expect(await sweep(invocation)).toMatchObject({ started: 1 });
    expect(started).toEqual([`${run.id}-${run.epoch + 1}`, `${run.id}-${run.epoch + 1}`]);
  });

  it("before or after any of its calls leaves the same tree behind, once it is answered again and resumed", async () => {
    const expected = await withDeath(undefined);
    expect(expected.calls).toBeGreaterThan(10);
    for (const call of sampledCalls(1, expected.calls)) {
      for (const when of ["before", "after"] as const) {
        const { hash } = await withDeath({ call, when });
        expect(hash, `${when} call ${call}`).toBe(expected.hash);
      }
    }
  }, 60_000);
});

/** Asks on lasting storage; answers and saves in a process that dies; then goes on in another. */
async function withDeath(death: { call: number; when: "before" | "after" } | undefined) {
  const lasting = lastingStorage();
  const asking = opened({ storage: notClosed(lasting) });
  const run = await askedRun(asking);
  asking.close();
  const storage = mortalStorage(notClosed(lasting), death ?? { call: Number.POSITIVE_INFINITY, when: "before" });
  const mortal = opened({ storage, home: asking.home });
  const stopped = await answerAndCompute(mortal, run, "Ada").catch((error: unknown) => error);
  const calls = storage.calls();
  mortal.close();
  if (!death) expect(stopped).toMatchObject({ status: "completed" });
  const next = opened({ storage: notClosed(lasting), home: asking.home });
  await next.sweep();
  await next.answer(run.id, { step: 1, text: "Ada" });
  let left = await standing(next, run);
  if (left.status === "waiting") left = await next.resume(run.id, {});
  if (left.status !== "completed") left = await next.compute(run.id, never);
  expect(left).toMatchObject({ status: "completed", files: 3 });
  const turns = await next.registry.turns(run.id, 1);
  expect(turns).toMatchObject([{ outcome: "answer", changes: [{ path: "docs/name.md" }] }]);
  return { hash: treeHash(await next.registry.allFiles(run.id)), calls };
}

const notClosed = ({ table, files }: Storage): Storage => ({ table: { ...table, close: () => {} }, files });
