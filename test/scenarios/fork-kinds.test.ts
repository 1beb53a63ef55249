/** A fork inside a program with loops, conditions, checks and questions: it keeps the place, the facts and the answers. */
import { describe, expect, it } from "vitest";
import { type ForkRequest, submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import { makeRun } from "../../lib/control/make/make-run.ts";
import { placeText } from "../../lib/core/program/language/step-title.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
import { look } from "../doubles/deaths.ts";
import { LICENCE_AND_ROUNDS } from "../doubles/licence-program.ts";
import { alwaysGreen, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;

const programOf = (instructions: unknown[]) => {
  const draft = draftFromData({ instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
};

const submission = (instructions: unknown[]) =>
  aSubmission({ options: { reflect: 0 }, submission: { program: programOf(instructions) } });

/** Writes what the text asks for: `write PATH CONTENT`, once a line; then completes it. `mark` shows who wrote it. */
const obeys = (mark = "") =>
  scriptedModel((request): Said => {
    const text = request.messages.find(({ content }) => content.includes("Instruction "))?.content ?? "";
    const answers = request.messages.filter(({ role }) => role === "assistant").length;
    const writes = [...text.matchAll(/^write (\S+) (.*)$/gm)].map(([, path = "", content = ""]) =>
      writeFile(path, `${content}${mark}\n`),
    );
    if (answers === 0 && writes.length > 0) return { calls: writes };
    return { calls: [["complete_instruction", { summary: `done${mark}` }]] };
  });

const WHOLE = [
  { title: "List the parts", text: 'write parts.json ["a","b"]' },
  {
    kind: "for_each",
    items: { file: "parts.json" },
    as: "part",
    atMost: 5,
    body: [
      { title: "Write {{part}}", text: "write src/{{part}}.txt part {{part}}" },
      { kind: "group", body: [{ title: "Describe {{part}}", text: "write docs/{{part}}.txt about {{part}}" }] },
    ],
  },
  ...LICENCE_AND_ROUNDS,
  { kind: "assert", check: { file: "licence.txt", matches: "^MIT" }, otherwise: "stop" },
  { title: "Release", text: "write release.txt out" },
];

const STEPS = [
  ...["1 List the parts", "2[1].1 Write a", "2[1].2[1].1 Describe a", "2[2].1 Write b", "2[2].2[1].1 Describe b"],
  ...["3 Which licence?", "4[1].1 Name MIT", "5[1].1 Go round", "7 Release"],
];

async function answered(machine: TestMachine, run: Run, text = "MIT"): Promise<Run> {
  expect(run).toMatchObject({ status: "waiting", reason: "answer" });
  await machine.answer(run.id, { text });
  return machine.compute(run.id, never);
}

const whole = async (machine: TestMachine): Promise<Run> =>
  answered(machine, await compute(machine, await submission(WHOLE)));

const fork = async (machine: TestMachine, run: Run, asked: Partial<ForkRequest> & { at: string }) =>
  compute(machine, await submissionOfFork(machine, run, { name: "fork", ...asked }));

async function replayed(machine: TestMachine, { id }: Run): Promise<number> {
  const { difference, treeHash, expected, turns } = await machine.replay(id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
  return turns;
}

async function otherPrompts() {
  const { codebase } = await builtInPacks();
  return { ...codebase, texts: { ...codebase.texts, system: `${codebase.texts.system}\nBe brief.` } };
}

async function stepsOf(machine: TestMachine, { id }: Run): Promise<string[]> {
  const { instructions } = await look(machine, id);
  return instructions.map(({ frames = [], title }) => `${placeText(frames)} ${title}`);
}

describe("a fork of a program with control flow", () => {
  it("goes on at a step inside loops, conditions and after questions, and replays exactly", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await whole(machine);
    expect(await stepsOf(machine, run)).toEqual(STEPS);
    const before = await look(machine, run.id);
    for (const at of [1, 3, 4, 6, 8]) {
      const model = obeys("!");
      const later = opened({ model, home: machine.home, evaluator: alwaysGreen });
      const begun = await fork(later, run, { at: String(at) });
      const forked = at < 6 ? await answered(later, begun) : begun;
      expect([at, forked.status, await stepsOf(later, forked)]).toEqual([at, "completed", STEPS]);
      // What was inherited is not asked for once more: two turns a step, and none for the question.
      const left = STEPS.length - at - (at < 6 ? 1 : 0);
      expect([at, forked.turns]).toEqual([at, left * 2]);
      const { tree } = await look(later, forked.id);
      expect([at, tree["src/a.txt"]]).toEqual([at, `part a${at < 2 ? "!" : ""}\n`]);
      expect([at, tree["release.txt"]]).toEqual([at, "out!\n"]);
      expect(await replayed(later, forked)).toBe(16);
    }
    expect(await look(machine, run.id)).toEqual(before);
  });

  it("goes on at a turn of a step in a loop with the request that was sent there", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await whole(machine);
    const model = obeys("!");
    const later = opened({ model, home: machine.home, evaluator: alwaysGreen });
    const begun = await fork(later, run, { at: "4.1" });
    const forked = await answered(later, begun);
    expect(forked).toMatchObject({ status: "completed", instructions: 9, turns: 1 + 4 * 2 });
    expect(await stepsOf(later, forked)).toEqual(STEPS);
    const { tree } = await look(later, forked.id);
    expect([tree["src/b.txt"], tree["docs/b.txt"]]).toEqual(["part b\n", "about b!\n"]);
    expect(await replayed(later, forked)).toBe(16);
  });

  it("keeps the answer of a question, also at the turn that saved it, and asks one that lies ahead again", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await whole(machine);
    for (const at of ["6", "6.1"]) {
      const forked = await fork(machine, run, { at });
      expect([at, forked.status, forked.turns]).toEqual([at, "completed", 6]);
      expect((await look(machine, forked.id)).tree.LICENSE).toBe("MIT\n");
      expect(await replayed(machine, forked)).toBe(16);
    }
    const other = await answered(machine, await fork(machine, run, { at: "5" }), "None");
    expect(other).toMatchObject({ status: "partial", reason: "check_failed" });
    expect((await stepsOf(machine, other)).at(-1)).toBe("5[1].1 Go round");
    expect(await replayed(machine, other)).toBe(14);
  });

  it("can be forked again, and is whole without the runs that it came from", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await whole(machine);
    const second = await fork(machine, run, { at: "7" });
    const third = await fork(machine, second, { at: "8" });
    const before = await look(machine, third.id);
    expect(await machine.remove(run.id)).toBe("deleted");
    expect(await machine.remove(second.id)).toBe("deleted");
    expect(await look(machine, third.id)).toEqual(before);
    expect(await replayed(machine, third)).toBe(16);
    const fourth = await answered(machine, await fork(machine, third, { at: "2" }));
    expect(await stepsOf(machine, fourth)).toEqual(STEPS);
    expect(await replayed(machine, fourth)).toBe(16);
  });

  it("goes on with other prompts, and replays each part with those that it had", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await whole(machine);
    const pack = await otherPrompts();
    for (const at of ["3", "4.1", "7"]) {
      const begun = await fork(machine, run, { at, pack });
      const forked = at === "7" ? begun : await answered(machine, begun);
      expect([at, forked.status]).toEqual([at, "completed"]);
      expect(await replayed(machine, forked)).toBeGreaterThanOrEqual(16);
    }
  });

  it("goes on with another program that is the same up to there, and refuses any other", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await whole(machine);
    const other = [...WHOLE.slice(0, 4), { title: "Publish", text: "write published.txt yes" }];
    // An open step continues in a fresh conversation, where it writes once more.
    for (const [at, turns] of [
      ["7", 14],
      ["7.1", 15],
    ] as const) {
      const forked = await fork(machine, run, { at, program: programOf(other) });
      expect([at, forked.status, (await stepsOf(machine, forked)).slice(6)]).toEqual([
        ...[at, "completed", ["4[1].1 Name MIT", "5 Publish"]],
      ]);
      expect(await replayed(machine, forked)).toBe(turns);
    }
    // Its question comes at the same step as one of the program before.
    const asks = [
      ...WHOLE.slice(0, 2),
      { kind: "ask", question: "Which year?", saveTo: "YEAR" },
      { title: "End", text: "write end.txt end" },
    ];
    const asking = await answered(machine, await fork(machine, run, { at: "5", program: programOf(asks) }), "1999");
    expect(asking).toMatchObject({ status: "completed", instructions: 7 });
    expect(await replayed(machine, asking)).toBe(12);
    const changed = [{ title: "List the parts", text: "write parts.json []" }, ...WHOLE.slice(1)];
    for (const program of [programOf(changed), programOf(["A list."])])
      await expect(submissionOfFork(machine, run, { at: "4", name: "x", program })).rejects.toMatchObject({
        ...{ exitCode: 2, field: "program", message: expect.stringContaining("the run is at 2[2].1 of a program") },
      });
    const list = await compute(machine, await submission([{ title: "One", text: "write one.txt 1" }]));
    await expect(fork(machine, list, { at: "1", program: programOf(WHOLE) })).rejects.toThrow(
      "only a list of instructions can follow those of a list",
    );
  });

  it("is refused after its end, and where a step does not exist, before anything is created", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await whole(machine);
    for (const at of ["9", "10", "6.2", "4.9"])
      await expect(submissionOfFork(machine, run, { at, name: "x" }), at).rejects.toMatchObject({ exitCode: 2 });
    expect((await machine.registry.runs({ owner: "local", limit: 10 })).runs).toHaveLength(1);
  });
});

describe("a fork inside a loop by a process that is killed", () => {
  it("is there whole, or not at all, with its place and its facts", async () => {
    const lasting = lastingStorage();
    const first = opened({ storage: lasting, model: obeys(), evaluator: alwaysGreen });
    const run = await whole(first);
    let deaths = 0;
    for (const call of [30, 60, 75, 90, 105]) {
      const mortal = mortalStorage(lasting, { call, when: "after" });
      const dying = opened({ storage: mortal, model: obeys("!"), evaluator: alwaysGreen });
      await fork(dying, run, { at: "7" }).catch((error: unknown) => {
        if (!mortal.isDead()) throw error;
      });
      deaths += mortal.isDead() ? 1 : 0;
      const next = opened({ storage: lasting, model: obeys("!"), evaluator: alwaysGreen });
      await next.sweep();
      const { runs } = await next.registry.runs({ owner: "local", limit: 10 });
      for (const left of runs.filter(({ id }) => id !== run.id)) {
        if (left.status === "waiting") await next.resume(left.id, {});
        if (left.status === "waiting") await next.compute(left.id, never);
        const ended = await look(next, left.id);
        expect([call, ended.run.status, await stepsOf(next, left)]).toEqual([call, "completed", STEPS]);
        await replayed(next, left);
        expect(await next.remove(left.id)).toBe("deleted");
      }
    }
    expect(deaths).toBeGreaterThan(2);
  });
});

describe("a fork of a run that make began", () => {
  it("goes on as that run would: what is unchanged is taken over still, and it replays exactly", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const list = ["one", "two", "three", "four"].map((title) => ({ title, text: `write ${title}.txt ${title}` }));
    const first = await compute(machine, await submission(list));
    const program = programOf(list.with(1, { title: "two", text: "write two.txt other" }));
    const { submission: asked } = await makeRun(machine, first, { name: "again", program });
    const made = await compute(machine, asked);
    expect(made).toMatchObject({ status: "completed", turns: 2 });
    await machine.remove(first.id);
    for (const at of ["1", "2", "2.1", "3"]) {
      const later = opened({ model: obeys("!"), home: machine.home, evaluator: alwaysGreen });
      const forked = await fork(later, made, { at });
      const turns = { "1": 2, "2": 0, "2.1": 1, "3": 0 }[at];
      expect([at, forked.status, forked.turns]).toEqual([at, "completed", turns]);
      expect((await look(later, forked.id)).paths).toHaveLength(4);
      await replayed(later, forked);
    }
    // A requirement that no instruction names is in no key, so that it would not be noticed.
    const unserved = { ...program, requirements: [{ id: "R9", text: "It is quick." }] };
    await expect(fork(machine, made, { at: "1", program: unserved })).rejects.toThrow("that no instruction names");
    const pack = await otherPrompts();
    for (const at of ["1", "2", "2.1"]) {
      const forked = await fork(machine, made, { at, pack });
      expect([at, forked.status]).toEqual([at, "completed"]);
      expect(forked.turns).toBe({ "1": 6, "2": 4, "2.1": 6 }[at]);
      await replayed(machine, forked);
    }
  });
});
