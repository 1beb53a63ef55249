/** A fork: a new run that inherits all up to a point of another one, pays nothing for it, and goes on from there. */
import { describe, expect, it } from "vitest";
import { type ForkRequest, submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { look } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { aRun } from "../doubles/runs.ts";
import { type Call, scriptedModel, turnsOf, writeFile, writerOf } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const writer = (text: string, count = 4) =>
  scriptedModel(writerOf(count, (n) => [{ path: `${text}${n}.txt`, content: text }]));

const whole = async (machine: TestMachine) => compute(machine, await aSubmission({ options: { reflect: 0 } }));

const fork = async (machine: TestMachine, run: Run, asked: Partial<ForkRequest> & { at: string }) =>
  compute(machine, await submissionOfFork(machine, run, { name: "fork", ...asked }));

const replayed = async (machine: TestMachine, { id }: Run) => {
  const { difference, treeHash, expected, turns } = await machine.replay(id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
  return turns;
};

/** Three instructions of three turns each. */
const steps = (text: string) =>
  turnsOf(
    [1, 2, 3].map((n): Call[][] => [[writeFile(`${text}${n}.txt`, text)], [writeFile(`${text}${n}b.txt`, text)]]),
  );

describe("a fork after an instruction", () => {
  it("inherits what was accepted, asks only what is left, and leaves the run as it was", async () => {
    const machine = opened({ model: writer("f") });
    const run = await whole(machine);
    const before = await look(machine, run.id);
    const model = writer("g");
    const later = opened({ model, home: machine.home });
    const forked = await fork(later, run, { at: "2" });
    expect(forked).toMatchObject({
      ...{ status: "completed", name: "fork", instructions: 4, pc: 5, packed: 4, files: 4 },
      ...{ calls: 4, turns: 4, forkedFrom: { run: run.id, at: "2" } },
    });
    expect(model.requests).toHaveLength(4);
    const { paths, events } = await look(later, forked.id);
    expect(paths.toSorted()).toEqual(["f1.txt", "f2.txt", "g3.txt", "g4.txt"]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "forked", run: run.id, point: "2", inherited: 2, turns: 5 }),
    );
    expect(await look(machine, run.id)).toEqual(before);
    expect(await replayed(later, forked)).toBe(9);
  });

  it("has the ceilings of the run in full", async () => {
    const machine = opened({ model: writer("f") });
    const budget = { turns: 9 };
    const run = await compute(machine, await aSubmission({ options: { reflect: 0, budget } }));
    expect(run).toMatchObject({ status: "completed", turns: 9 });
    expect(await fork(machine, run, { at: "1" })).toMatchObject({ status: "completed", turns: 6, options: { budget } });
  });

  it("can be forked again, and is whole without the runs that it came from", async () => {
    const machine = opened({ model: writer("f") });
    const run = await whole(machine);
    const second = await fork(opened({ model: writer("g"), home: machine.home }), run, { at: "2" });
    const later = opened({ model: writer("h"), home: machine.home });
    const third = await fork(later, second, { at: "3" });
    const before = await look(later, third.id);
    expect(before.paths.toSorted()).toEqual(["f1.txt", "f2.txt", "g3.txt", "h4.txt"]);
    expect(third).toMatchObject({ calls: 2, forkedFrom: { run: second.id, at: "3" } });
    expect(await later.remove(run.id)).toBe("deleted");
    expect(await later.remove(second.id)).toBe("deleted");
    expect(await look(later, third.id)).toEqual(before);
    expect(await replayed(later, third)).toBe(9);
    const fourth = await fork(later, third, { at: "1" });
    expect(fourth).toMatchObject({ status: "completed", files: 4 });
    await later.remove(fourth.id);
    expect(await look(later, third.id)).toEqual(before);
  });

  it("goes on with another model, which is paid by its own price", async () => {
    const profile = { ...aRun().profile, price: { input: 1, output: 1, cached: 1 } };
    const machine = opened({ model: writer("f") });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 }, profile }));
    const asked: string[] = [];
    const model = writer("g");
    const later = opened({
      home: machine.home,
      modelFor: (now) => {
        asked.push(now.profile.model);
        return model;
      },
    });
    const other = { ...profile, model: "other" };
    const forked = await fork(later, run, { at: "2", models: { profile: other, server: {} } });
    expect(forked).toMatchObject({ status: "completed", calls: 4, paid: [0, forked.microUsd] });
    expect(new Set(asked)).toEqual(new Set(["other"]));
    expect(forked.microUsd).toBe(4 * 1_100);
    expect(await replayed(later, forked)).toBe(9);
  });

  it("goes on with another program, also after the last instruction, and replays with both", async () => {
    const machine = opened({ model: writer("f", 2) });
    const run = await whole(machine);
    const model = writer("g");
    const later = opened({ model, home: machine.home });
    const instructions = ["New 3", "New 4"].map((title) => ({ title, text: title, requirements: [] }));
    await expect(fork(later, run, { at: "2" })).rejects.toMatchObject({ exitCode: 2, field: "program" });
    const forked = await fork(later, run, { at: "2", program: { instructions, requirements: [] } });
    expect(forked).toMatchObject({ status: "completed", instructions: 4, calls: 4, files: 4 });
    const { instructions: stored } = await look(later, forked.id);
    expect(stored.map(({ title }) => title)).toEqual(["Part 1", "Part 2", "New 3", "New 4"]);
    expect(await replayed(later, forked)).toBe(9);
    const again = await fork(later, forked, { at: "3", program: { instructions, requirements: [] } });
    expect(again).toMatchObject({ status: "completed", instructions: 5, calls: 4 });
    expect(await replayed(later, again)).toBe(11);
  });

  it("is refused where a requirement that is served already would get another text", async () => {
    const machine = opened({ model: writer("f", 2) });
    const requirements = [{ id: "R1", text: "one" }];
    const given = [1, 2].map((n) => ({ title: `Part ${n}`, text: "x", requirements: n === 1 ? ["R1"] : [] }));
    const run = await compute(
      machine,
      await aSubmission({ submission: { program: { instructions: given, requirements }, requirements } }),
    );
    const program = (text: string) => ({
      instructions: [{ title: "New", text: "x", requirements: ["R1", "R2"] }],
      requirements: [
        { id: "R1", text },
        { id: "R2", text: "two" },
      ],
    });
    await expect(fork(machine, run, { at: "1", program: program("another") })).rejects.toThrow("R1 has another text");
    const forked = await fork(machine, run, { at: "1", program: program("one") });
    expect(await machine.registry.requirements(forked.id)).toHaveLength(2);
    expect(await replayed(machine, forked)).toBe(4);
  });
});

describe("a fork after a turn", () => {
  it("asks what the run asked there, byte for byte but for what is left", async () => {
    const first = steps("f");
    const machine = opened({ model: first });
    const run = await whole(machine);
    const model = steps("g");
    const later = opened({ model, home: machine.home });
    const forked = await fork(later, run, { at: "2.1" });
    expect(forked).toMatchObject({ status: "completed", calls: 5, turns: 5, files: 6 });
    // Planning, three turns of instruction 1, and one of instruction 2 came before.
    const [then, now] = [first.requests[5], model.requests[0]];
    expect(now?.messages.slice(0, -1)).toEqual(then?.messages.slice(0, -1));
    expect(now?.tools).toEqual(then?.tools);
    const { paths } = await look(later, forked.id);
    expect(paths.toSorted()).toEqual(["f1.txt", "f1b.txt", "f2.txt", "g2b.txt", "g3.txt", "g3b.txt"]);
    expect(await replayed(later, forked)).toBe(10);
  });

  it("in which the instruction was accepted is one after that instruction", async () => {
    const machine = opened({ model: steps("f") });
    const run = await whole(machine);
    expect(await fork(machine, run, { at: "2.3" })).toMatchObject({ status: "completed", calls: 3 });
  });

  it("with other prompts or another program begins a fresh conversation, and replays with both", async () => {
    const machine = opened({ model: steps("f") });
    const run = await whole(machine);
    const { codebase } = await builtInPacks();
    const pack = { ...codebase, texts: { ...codebase.texts, system: `${codebase.texts.system}\nBe brief.\n` } };
    const model = steps("g");
    const later = opened({ model, home: machine.home });
    const forked = await fork(later, run, { at: "2.1", pack });
    expect(forked).toMatchObject({ status: "completed", files: 7 });
    const [system, opening] = model.requests[0]?.messages ?? [];
    expect(system?.content).toContain("Be brief.");
    expect(opening?.content).toContain("Instruction 2 of 3");
    expect(opening?.content).toContain("f2.txt");
    expect(model.requests[0]?.messages.some(({ role }) => role === "assistant")).toBe(false);
    await replayed(later, forked);
    const program = { instructions: [{ title: "Other", text: "x", requirements: [] }], requirements: [] };
    const other = await fork(later, forked, { at: "1.1", program });
    expect(other).toMatchObject({ status: "completed", instructions: 2 });
    await replayed(later, other);
  });

  it("begins with the turns of an instruction that was stuck, which no longer count", async () => {
    const model = scriptedModel(() => ({ calls: [["list_files", {}]] }));
    const submission = { program: { instructions: [{ title: "A", text: "a", requirements: [] }], requirements: [] } };
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission({ submission }));
    expect(run).toMatchObject({ status: "partial", reason: "trapped" });
    const later = opened({ model: writer("g"), home: machine.home });
    const forked = await fork(later, run, { at: `1.${run.turn}` });
    expect(forked).toMatchObject({ status: "completed", calls: 2 });
    await replayed(later, forked);
    const inside = { at: `1.${run.turn - 1}`, name: "x" };
    await expect(submissionOfFork(machine, run, inside)).rejects.toThrow("asks for smaller instructions");
  });

  it("of an instruction that was split keeps the parts, and is refused before the split", async () => {
    const isDone = (text: string): boolean => text.includes("Half");
    const model = scriptedModel(
      ({ messages }) =>
        isDone(messages[1]?.content ?? "") && !messages[1]?.content.includes("Instruction 1 of 2: Half 2")
          ? {
              calls: [
                messages.length < 4
                  ? ["write_files", { files: [{ path: `${messages.length}.txt`, content: "x" }] }]
                  : ["complete_instruction", { summary: "s" }],
              ],
            }
          : { calls: [["list_files", {}]] },
      () => ({
        calls: [
          ["write_program", { instructions: [1, 2].map((n) => ({ title: `Half ${n}`, text: "x", requirements: [] })) }],
        ],
      }),
    );
    const submission = { program: { instructions: [{ title: "A", text: "a", requirements: [] }], requirements: [] } };
    const machine = opened({ model });
    const run = await compute(machine, await aSubmission({ submission }));
    expect(run).toMatchObject({ status: "completed", instructions: 2 });
    const turns = await machine.registry.turns(run.id, 1);
    const split = turns.length - 2;
    await expect(submissionOfFork(machine, run, { at: "1.1", name: "x" })).rejects.toThrow(`split at turn ${split}`);
    for (const [at, inherited] of [
      [`1.${split}`, split],
      [`1.${split + 1}`, split + 1],
      ["1", turns.length],
    ] as const) {
      const forked = await fork(machine, run, { at });
      expect(forked, at).toMatchObject({ status: "completed", instructions: 2, calls: run.calls - inherited });
      await replayed(machine, forked);
    }
  });
});

/** Answers nothing: what the run begins with can be looked at. */
const mute = scriptedModel(() => {
  throw new Error("not asked");
});

describe("what a fork begins with", () => {
  it("is what the run had there: tests, locks, counts and files", async () => {
    const tests = turnsOf([
      [[writeFile("a.test.js", "test(1)")], [writeFile("a.js", "1")]],
      [[writeFile("a.test.js", "test(2)"), writeFile("b.test.js", "test(1)")]],
      [[writeFile("c.js", "1")]],
    ]);
    const files = new Map([
      ["old.js", new TextEncoder().encode("old")],
      ["old.test.js", new TextEncoder().encode("test(0)")],
    ]);
    const machine = opened({ model: tests, evaluator: alwaysGreen });
    const started = await machine.submit(
      await aSubmission({ options: { reflect: 0, from: true, budget: { turns: 1 } }, submission: { from: files } }),
    );
    const never = new AbortController().signal;
    const seen = [];
    await machine.compute(started.id, never);
    for (let turns = 2; turns <= 8; turns += 1) {
      await machine.resume(started.id, { budget: { turns } });
      const run = await machine.compute(started.id, never);
      seen.push({ run, look: await look(machine, run.id), locks: await machine.registry.testLocks(run.id) });
    }
    const last = seen.at(-1)?.run;
    expect(last).toMatchObject({ pc: 4 });
    const later = opened({ model: mute, evaluator: alwaysGreen, home: machine.home });
    for (const { run, look: then, locks } of seen) {
      const at = run.turn > 0 ? `${run.pc}.${run.turn}` : String(run.pc - 1);
      if (at === "3") continue;
      const submitted = await later.submit(
        await submissionOfFork(later, last ?? run, { at, name: "fork", budget: { turns: 1 } }),
      );
      await later.compute(submitted.id, never).catch(() => {});
      const begun = await look(later, submitted.id);
      const factsIn = ({ testsSeen, syntaxSeen, testsPassed, testsTotal, lockedTests, amended, unchecked }: Run) => ({
        ...{ testsSeen, syntaxSeen, testsPassed, testsTotal, lockedTests, amended, unchecked },
      });
      expect(factsIn(begun.run), at).toEqual(factsIn(run));
      const place = ({ pc, packed, turn, forgivenTurn, files: count, packedBytes }: Run) => ({
        ...{ pc, packed, turn, forgivenTurn, files: count },
        bytes: Math.round(packedBytes / 100),
      });
      expect(place(begun.run), at).toEqual(place(run));
      expect(await later.registry.testLocks(submitted.id), at).toEqual(locks);
      expect([begun.hash, begun.tree], at).toEqual([then.hash, then.tree]);
      expect(await later.registry.allFiles(submitted.id), at).toHaveLength(run.files);
    }
  });
});

describe("a fork is refused before anything is created", () => {
  const places: [at: string, words: string][] = [
    ["0", "cannot be forked at 0. It can be forked after instruction 1 to 3, or after one of its committed turns"],
    ["4", "cannot be forked at 4"],
    ["2.9", "there is no such committed turn"],
    ["0.1", "cannot be forked at 0.1"],
    ["9.1", "cannot be forked at 9.1"],
    ["x", "cannot be forked at x"],
  ];
  it("at a place that the run does not have", async () => {
    const machine = opened({ model: steps("f") });
    const run = await whole(machine);
    for (const [at, words] of places)
      await expect(submissionOfFork(machine, run, { at, name: "x" }), at).rejects.toMatchObject({
        ...{ exitCode: 2, field: "at", message: expect.stringContaining(words) },
      });
    const { runs } = await machine.registry.runs({ owner: "local", limit: 10 });
    expect(runs).toHaveLength(1);
  });

  it("without a program, and where the journal or a pack is damaged", async () => {
    const machine = opened({ model: steps("f") });
    const none = await machine.submit(await aSubmission({}));
    await expect(submissionOfFork(machine, none, { at: "1", name: "x" })).rejects.toThrow("has no program yet");
    await machine.compute(none.id, new AbortController().signal);
    const run = await whole(machine);
    const [turn] = await machine.registry.turns(run.id, 2);
    await machine.files.put(turn?.answerKey ?? "", new TextEncoder().encode("{}"));
    const damaged = { exitCode: 2, message: expect.stringContaining("Entry 2.1 of the journal (its answer)") };
    await expect(submissionOfFork(machine, run, { at: "2", name: "x" })).rejects.toMatchObject(damaged);
    await expect(submissionOfFork(machine, run, { at: "1", name: "x" })).resolves.toMatchObject({
      name: "x",
      forks: [{ at: "1" }],
    });
    const keys = fileStoreKeys(run.id);
    await machine.files.remove(keys.changes(1));
    await expect(submissionOfFork(machine, run, { at: "1", name: "x" })).rejects.toThrow("The pack of instruction 1");
  });
});
