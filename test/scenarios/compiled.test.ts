/** Programs as state machines of their own: the machine follows the run, and the run is the same as by the control unit. */
import { describe, expect, it } from "vitest";
import type { Evaluator, ModelRequest } from "../../lib/core/ports.ts";
import { draftFrom } from "../../lib/core/program/language/executable.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import { compiledDefinition, namedStates, playMachine } from "../doubles/compiled-programs.ts";
import { look, throughDeaths } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, aVerdict, type TestMachine } from "../doubles/machines.ts";
import type { Death } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";
import { createRandom, seededProgram } from "../program/seeded-program.ts";

const { opened } = openedMachines();

const program = (instructions: unknown[]): Draft => {
  const draft = draftFromData({ instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
};

const submission = (draft: Draft, parallel = 1) =>
  aSubmission({ options: { reflect: 0, parallel }, submission: { program: draft } });

const textOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join("\n");

/** Writes one file for each instruction; the one titled "Stuck" is worked on in circles. */
const writes = (request: ModelRequest): Said => {
  const { instruction, answers } = placeOf(request);
  if (textOf(request).includes(": Stuck\n")) return { calls: [["list_files", {}]] };
  if (answers === 0) return { calls: [writeFile(`step-${instruction}.txt`, `${instruction}\n`)] };
  return { calls: [["complete_instruction", { summary: "done" }]] };
};

const BLOCKS = [
  { kind: "group", title: "Begin", body: ["First."] },
  {
    kind: "for_each",
    items: ["a", "b"],
    as: "file",
    atMost: 3,
    body: ["Describe {{file}}.", "Check {{file}}."],
  },
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
];

const WAY = [
  ...["1 Begin: group", "1.1 First"],
  ...[
    "2 for each file",
    "2.1 Describe file",
    "2.2 Check file",
    "2 for each file",
    "2.1 Describe file",
    "2.2 Check file",
  ],
  ...["3 if step-2.txt exists", "3.then.1 It is there"],
  ...["4 repeat until step-8.txt exists", "4.1 Once more", "4.1 Once more"],
  ...["6 waits for an answer", "6 ask Which one?", "7 Last"],
];

describe("a compiled program", () => {
  it("goes through the states of its instructions, waits for an answer, and goes on there", async () => {
    const draft = program(BLOCKS);
    const definition = compiledDefinition(draft);
    const machine = opened({ model: scriptedModel(writes), evaluator: alwaysGreen });
    const { id } = await machine.submit(await submission(draft));
    const before = await playMachine(machine, id, definition);
    await machine.answer(id, { step: 9, text: "this" });
    const after = await playMachine(machine, id, definition);
    expect(namedStates([...before, ...after])).toEqual(WAY);
    expect(await machine.registry.run(id)).toMatchObject({ status: "completed", instructions: 10 });
  });

  it("finds its place at the beginning of every epoch", async () => {
    const draft = program(["One.", "Two.", "Three.", "Four."]);
    const machine = opened({ model: scriptedModel(writes), evaluator: alwaysGreen });
    const { id } = await machine.submit(await submission(draft));
    const epochs = await playMachine(machine, id, compiledDefinition(draft, 2));
    expect(epochs.map((epoch) => namedStates([epoch]))).toEqual([
      ["1 One", "2 Two"],
      ["3 Three", "4 Four"],
    ]);
    expect(await machine.registry.run(id)).toMatchObject({ status: "completed", epoch: 2 });
  });

  it("executes by its general state what the program does not name: the parts of a split, and another program", async () => {
    const draft = program(["One.", "Stuck.", "Three."]);
    const definition = compiledDefinition(draft);
    const part = (title: string) => ({ title, text: `Do ${title}.`, requirements: [] });
    const parts: Said = { calls: [["write_program", { instructions: [part("Half"), part("Other half")] }]] };
    const machine = opened({ model: scriptedModel(writes, () => parts), evaluator: alwaysGreen });
    const { id } = await machine.submit(await submission(draft));
    const epochs = await playMachine(machine, id, definition);
    expect(namedStates(epochs)).toEqual(["1 One", "2 Stuck", "3 Three"]);
    expect(epochs.flat().filter((name) => name === "Execute")).toHaveLength(2);
    expect(await machine.registry.run(id)).toMatchObject({ status: "completed", instructions: 4 });

    const { id: other } = await machine.submit(await submission(program(["Uno.", "Due.", "Tre."])));
    expect(namedStates(await playMachine(machine, other, definition))).toEqual([]);
    expect(await machine.registry.run(other)).toMatchObject({ status: "completed", instructions: 3 });
  });

  it("has lanes as the control unit has them", async () => {
    const draft = program([0, 1, 2, 3].map((n) => ({ id: `p${n}`, title: `Part ${n}`, text: "Write.", needs: [] })));
    const machine = opened({ model: scriptedModel(writes), evaluator: alwaysGreen });
    const { id } = await machine.submit(await submission(draft, 2));
    const states = (await playMachine(machine, id, compiledDefinition(draft))).flat();
    expect(states).toContain("Lanes");
    expect((await look(machine, id)).tree).toHaveProperty("step-4.txt");
    expect(await machine.registry.run(id)).toMatchObject({ status: "completed", pc: 5 });
  });

  it("comes to the tree of the control unit, through deaths and short epochs, for any program", async () => {
    const homes: TestMachine[] = [];
    for (let seed = 1; seed <= 24; seed += 1) {
      const lowered = draftFrom(seededProgram(seed));
      if ("findings" in lowered) continue;
      const { draft } = lowered;
      const mortal = {
        ...{ submission: await submission(draft), model: () => scriptedModel(writes) },
        ...{ evaluator: seededEvaluator(seed), answer: "yes", homes },
      };
      const expected = summaryOf(await throughDeaths(mortal, []));
      const compiled = { ...mortal, definition: compiledDefinition(draft, 3) };
      const undisturbed = await throughDeaths(compiled, []);
      expect({ seed, ...summaryOf(undisturbed) }).toEqual({ seed, ...expected });
      const random = createRandom(seed);
      const death = (): Death => ({
        call: 1 + Math.floor(random() * undisturbed.boundaries),
        when: random() < 0.5 ? "before" : "after",
      });
      expect({ seed, ...summaryOf(await throughDeaths(compiled, [death(), death()])) }).toEqual({ seed, ...expected });
    }
    for (const home of homes) home.removeHome();
  });
});

/** Red where a condition asks for tests, by how much was done; the gate is always green. */
const seededEvaluator = (seed: number): Evaluator => ({
  async evaluate({ base, tests, syntax, smoke }) {
    const isCondition = tests !== undefined && syntax === undefined && smoke === undefined;
    const steps = Number(/(\d+)\.zip$/.exec(base.key)?.[1] ?? 0);
    const isGreen = createRandom(seed * 1_000 + steps)() < 0.5;
    return aVerdict(isCondition && !isGreen ? { tests: { status: "failed" } } : {});
  },
});

function summaryOf({ run, hash, instructions, events }: Awaited<ReturnType<typeof throughDeaths>>) {
  const checks = events.flatMap((event) => (event.type === "checked" ? [`${event.place} ${event.detail}`] : []));
  return { status: run.status, detail: run.detail, hash, titles: instructions.map(({ title }) => title), checks };
}
