/** A program with control flow: each step that it comes to is an instruction of the run. */
import { describe, expect, it } from "vitest";
import { submissionBefore } from "../../lib/control/lifecycle/go-back.ts";
import { storedProgram } from "../../lib/control/program/stored-program.ts";
import type { Evaluator } from "../../lib/core/ports.ts";
import { placeText } from "../../lib/core/program/language/step-title.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { look, throughDeaths } from "../doubles/deaths.ts";
import { hastyClock } from "../doubles/hasty-clock.ts";
import { alwaysGreen, aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const program = (instructions: unknown[]) => {
  const draft = draftFromData({ instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
};

const submission = (instructions: unknown[]) =>
  aSubmission({ options: { reflect: 0 }, submission: { program: program(instructions) } });

/** Writes what the text asks for: `write PATH CONTENT`, once a line. */
const obeys = () =>
  scriptedModel((request): Said => {
    const { planning, answers } = placeOf(request);
    if (planning) throw new Error("This program is given.");
    const text = request.messages.find(({ content }) => content.includes("Instruction "))?.content ?? "";
    const writes = [...text.matchAll(/^write (\S+) (.*)$/gm)].map(([, path = "", content = ""]) =>
      writeFile(path, `${content}\n`),
    );
    if (answers === 0 && writes.length > 0) return { calls: writes };
    return { calls: [["complete_instruction", { summary: "done" }]] };
  });

const WHOLE = [
  { title: "List the parts", text: 'write parts.txt one\nwrite parts.json ["a","b"]' },
  {
    kind: "for_each",
    items: { file: "parts.json" },
    as: "part",
    atMost: 5,
    body: [{ title: "Write {{part}}", text: "write src/{{part}}.txt part {{part}}" }],
  },
  {
    kind: "if",
    condition: { file: "src/b.txt", exists: true },
    // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
    then: [{ title: "Describe b", text: "write docs/b.txt b" }],
    else: [{ title: "Describe nothing", text: "write docs/none.txt none" }],
  },
  {
    kind: "for_each",
    items: { glob: "src/*.txt" },
    as: "file",
    atMost: 5,
    body: [{ kind: "group", body: [{ title: "Check {{file}}", text: "write checked/{{file}}.ok yes" }] }],
  },
  {
    kind: "repeat",
    until: { file: "parts.json", pointer: "/1", equals: "b" },
    atMost: 3,
    body: [{ title: "Repair", text: "write round.txt again" }],
  },
  { title: "Release", text: "write release.txt out" },
];

const TITLES = [
  "1 List the parts",
  "2[1].1 Write a",
  "2[2].1 Write b",
  "3[1].1 Describe b",
  "4[1].1[1].1 Check src/a.txt",
  "4[2].1[1].1 Check src/b.txt",
  "5[1].1 Repair",
  "6 Release",
];

async function stepsOf(machine: TestMachine, id: string): Promise<string[]> {
  const { instructions } = await look(machine, id);
  return instructions.map(({ frames = [], title }) => `${placeText(frames)} ${title}`);
}

describe("a program with control flow", () => {
  it("takes the steps that its lists, conditions and items ask for, in its order", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await compute(machine, await submission(WHOLE));
    expect(run).toMatchObject({ status: "completed", format: 3, instructions: 8, pc: 9, packed: 8 });
    expect(await stepsOf(machine, run.id)).toEqual(TITLES);
    const { tree, events } = await look(machine, run.id);
    expect(Object.keys(tree).toSorted()).toEqual([
      ...["checked/src/a.txt.ok", "checked/src/b.txt.ok", "docs/b.txt", "parts.json", "parts.txt"],
      ...["release.txt", "round.txt", "src/a.txt", "src/b.txt"],
    ]);
    const checks = events.flatMap((event) =>
      event.type === "checked" ? [`${event.text}: ${event.holds ?? event.detail}`] : [],
    );
    expect(checks).toEqual([
      "the list of a loop: 2 items",
      "src/b.txt exists: true",
      "the list of a loop: 2 items",
      'parts.json has "b" at /1: true',
    ]);
  });

  it("repeats until its condition holds, and stops where it never does", async () => {
    const until = { tests: true };
    const rounds = (otherwise: object) => [
      { kind: "repeat", until, atMost: 3, ...otherwise, body: [{ title: "Repair", text: "write f.txt x" }] },
      "Go on.",
    ];
    let runs = 0;
    const greenAtSecond: Evaluator = {
      async evaluate(request) {
        const isCheck = request.changes.length === 0 && request.tests && !request.syntax && !request.smoke;
        if (isCheck) runs += 1;
        return isCheck && runs < 2 ? aVerdict({ tests: { status: "failed", failed: 1 } }) : aVerdict({});
      },
    };
    const machine = opened({ model: obeys(), evaluator: greenAtSecond });
    const run = await compute(machine, await submission(rounds({})));
    expect(run.status).toBe("completed");
    expect(await stepsOf(machine, run.id)).toEqual(["1[1].1 Repair", "1[2].1 Repair (round 2)", "2 Go on"]);

    const neverGreen: Evaluator = {
      evaluate: async ({ changes, tests, syntax, smoke }) =>
        changes.length === 0 && tests && !syntax && !smoke
          ? aVerdict({ tests: { status: "failed", passed: 0, failed: 2 } })
          : aVerdict({}),
    };
    const never = opened({ model: obeys(), evaluator: neverGreen });
    const stopped = await compute(never, await submission(rounds({})));
    expect(stopped).toMatchObject({ status: "partial", reason: "check_failed", packed: 3 });
    expect(stopped.detail).toBe(
      'A loop of the program did not reach its end: "all tests pass" does not hold (0 passed, 2 failed).',
    );
    const goesOn = opened({ model: obeys(), evaluator: neverGreen });
    expect(await compute(goesOn, await submission(rounds({ otherwise: "continue" })))).toMatchObject({
      ...{ status: "completed", instructions: 4 },
    });
  });

  it("has a failed check repaired once by the model, which sees what it printed, and checks again", async () => {
    const check = { argv: ["make", "check"] };
    let runs = 0;
    const evaluator: Evaluator = {
      async evaluate({ command }) {
        if (!command) return aVerdict({});
        runs += 1;
        const isRed = runs === 1;
        return {
          ...aVerdict({}),
          command: {
            status: isRed ? "failed" : "passed",
            exitCode: isRed ? 2 : 0,
            stdout: "line 7 is wrong",
            stderr: "",
          },
        };
      },
    };
    const model = obeys();
    const machine = opened({ model, evaluator });
    const run = await compute(
      machine,
      await submission(["write a.txt a", { kind: "assert", title: "The check passes", check, otherwise: "repair" }]),
    );
    expect(run.status).toBe("completed");
    expect(runs).toBe(2);
    expect(await stepsOf(machine, run.id)).toEqual(["1 write a.txt a", "2 Repair: The check passes"]);
    const repair = model.requests.find(({ messages }) =>
      messages.some(({ content }) => content.includes("Repair: The check passes")),
    );
    expect(repair?.messages.map(({ content }) => content).join("\n")).toContain(
      "A check of the program fails: make check (exit code 2)",
    );
    expect(repair?.messages.map(({ content }) => content).join("\n")).toContain("line 7 is wrong");
  });

  it("stops at a check that must hold, keeps what is done, and checks again when it is resumed", async () => {
    const check = { file: "a.txt", matches: "^b" };
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await compute(
      machine,
      await submission(["write a.txt a", { kind: "assert", check, otherwise: "stop" }, "Go on."]),
    );
    expect(run).toMatchObject({ status: "partial", reason: "check_failed", packed: 1, instructions: 1 });
    expect(run.detail).toBe('A check of the program failed: "a.txt matches ^b" does not hold (it does not match).');
    await machine.resume(run.id, {});
    expect(await machine.compute(run.id, new AbortController().signal)).toMatchObject({
      reason: "check_failed",
      turns: run.turns,
    });
  });

  it("stops where a list is longer than it allows, is none or is not there", async () => {
    const loop = (items: object) => [
      "write list.txt x",
      { kind: "for_each", items, as: "item", atMost: 1, body: [{ title: "Do {{item}}", text: "write {{item}} x" }] },
    ];
    const ends = async (first: string, items: object) => {
      const [, ...rest] = loop(items);
      const machine = opened({ model: obeys(), evaluator: alwaysGreen });
      return (await compute(machine, await submission([first, ...rest]))).detail;
    };
    expect(await ends("write a.txt x\nwrite b.txt x", { glob: "*.txt" })).toBe(
      "A loop of the program has more items than it allows: 2 items.",
    );
    expect(await ends("write list.json {}", { file: "list.json" })).toBe(
      "The list of a loop cannot be read: list.json has no list.",
    );
    expect(await ends("write list.json {", { file: "list.json" })).toBe(
      "The list of a loop cannot be read: list.json is no JSON.",
    );
    expect(await ends("write a.txt x", { file: "b.txt" })).toBe(
      "The list of a loop cannot be read: b.txt is not there.",
    );
  });

  it("takes tests that are not there for red, also where all others are green", async () => {
    const checked = async (first: string, tests: string[]) => {
      const machine = opened({ model: obeys(), evaluator: alwaysGreen });
      return compute(machine, await submission([first, { kind: "assert", check: { tests }, otherwise: "stop" }]));
    };
    expect((await checked("write a.test.js x", ["a.test.js", "b.test.js"])).detail).toBe(
      'A check of the program failed: "a.test.js, b.test.js pass" does not hold (there is no b.test.js).',
    );
    expect((await checked("write test/a.js x", ["test"])).status).toBe("completed");
  });

  it("matches with RE2, over lines where it is asked for", async () => {
    const checked = async (matches: string) => {
      const machine = opened({ model: obeys(), evaluator: alwaysGreen });
      const check = { file: "a.md", matches };
      return (
        await compute(machine, await submission(["write a.md # b", { kind: "assert", check, otherwise: "stop" }]))
      ).status;
    };
    expect(await checked("(?m)^# ")).toBe("completed");
    expect(await checked("(?i)B$")).toBe("partial");
    expect(() => program([{ kind: "assert", check: { file: "a", matches: "(?=x)" }, otherwise: "stop" }])).toThrow(
      "RE2",
    );
  });

  it("ends at its ceiling of minutes also where only checks take time", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const clock = { ...hastyClock, now: () => now };
    const evaluator: Evaluator = {
      async evaluate({ changes, tests, syntax, smoke }) {
        if (changes.length > 0 || !tests || syntax || smoke) return aVerdict({});
        now += 40_000;
        return aVerdict({ tests: { status: "failed", passed: 0, failed: 1 } });
      },
    };
    const machine = opened({ model: obeys(), evaluator, clock });
    // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
    const check = { kind: "if", condition: { tests: true }, then: ["Go on."] };
    const items = Array.from({ length: 100 }, (_, index) => index);
    const loop = { kind: "for_each", items, as: "item", atMost: 100, body: [{ ...check, title: "{{item}}" }] };
    const given = await aSubmission({
      options: { reflect: 0, budget: { minutes: 3 } },
      submission: { program: program(["write a.txt a", loop]) },
    });
    const run = await compute(machine, given);
    expect(run).toMatchObject({ status: "partial", reason: "minutes", packed: 1 });
    const { events } = await look(machine, run.id);
    expect(events.filter(({ type }) => type === "checked").length).toBeLessThan(10);
  });

  it("is named by the place of a file whose items are too large, and shows only the beginning of a long check", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const loop = { kind: "for_each", items: { file: "a.txt" }, as: "item", atMost: 9, body: ["Do {{item}}."] };
    const run = await compute(machine, await submission([`write a.txt ${"x".repeat(9_000)}`, loop]));
    expect(run.detail).toMatch(/^The list of a loop cannot be read: a\.txt has an item of more than 8000 characters/);
    const long = { kind: "assert", check: { argv: ["echo", "x".repeat(1_900)] }, otherwise: "stop" };
    const other = opened({ model: obeys(), evaluator: alwaysGreen });
    const stopped = await compute(other, await submission(["write a.txt a", long]));
    expect((stopped.detail ?? "").length).toBeLessThan(1_200);
  });

  it("puts items into texts as data, once", async () => {
    const body = [{ title: "{{item}}", text: "write {{item}}.txt {{other}}" }];
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const items = ["a", "{{item}}"];
    const run = await compute(machine, await submission([{ kind: "for_each", items, as: "item", atMost: 2, body }]));
    expect(await stepsOf(machine, run.id)).toEqual(["1[1].1 a", "1[2].1 {{item}}"]);
  });

  it("is computed to the same tree through deaths at every call of its storage", async () => {
    const homes: TestMachine[] = [];
    const mortal = { submission: await submission(WHOLE), model: obeys, homes };
    const expected = await throughDeaths(mortal, []);
    expect(expected.run.status).toBe("completed");
    for (const [at, call] of sampledCalls(1, expected.boundaries).entries()) {
      const death = { call, when: at % 2 ? ("before" as const) : ("after" as const) };
      const { run, hash, instructions } = await throughDeaths(mortal, [death]);
      expect({ status: run.status, hash, steps: instructions.length }).toEqual({
        ...{ status: "completed", hash: expected.hash, steps: 8 },
      });
    }
    for (const home of homes) home.removeHome();
  });

  it("goes back to a step inside a loop, and on through the rest of the program", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await compute(machine, await submission(WHOLE));
    const back = await machine.submit(await submissionBefore(machine, run, { to: 6, name: "again" }));
    await machine.files.removeAll(fileStoreKeys(run.id).root);
    const again = await machine.compute(back.id, new AbortController().signal);
    expect(again).toMatchObject({ status: "completed", instructions: 3 });
    expect(await stepsOf(machine, again.id)).toEqual(TITLES.slice(5));
    expect((await look(machine, again.id)).tree).toHaveProperty("src/b.txt");
  });

  it("is replayed from its journal, with what was found out then", async () => {
    let runs = 0;
    const evaluator: Evaluator = {
      async evaluate({ command }) {
        if (!command) return aVerdict({});
        runs += 1;
        const said = { stdout: "", stderr: "line 7 is wrong" };
        return {
          ...aVerdict({}),
          command: { status: runs > 1 ? "passed" : "failed", exitCode: runs > 1 ? 0 : 1, ...said },
        };
      },
    };
    const machine = opened({ model: obeys(), evaluator });
    const assert = { kind: "assert", check: { argv: ["make"] }, otherwise: "repair" };
    const run = await compute(machine, await submission([...WHOLE, assert]));
    expect(run).toMatchObject({ status: "completed", instructions: 9 });
    const replayed = await machine.replay(run.id);
    expect(replayed).toMatchObject({ turns: run.turns, treeHash: replayed.expected });
    expect(replayed.difference).toBeUndefined();
    expect(runs).toBe(2);
  });

  it("is replayed through checks that failed, were resumed, and held", async () => {
    let runs = 0;
    const evaluator: Evaluator = {
      async evaluate({ command }) {
        if (!command) return aVerdict({});
        runs += 1;
        const isGreen = runs === 3;
        const said = { stdout: "", stderr: "" };
        return {
          ...aVerdict({}),
          command: { status: isGreen ? "passed" : "failed", exitCode: isGreen ? 0 : 1, ...said },
        };
      },
    };
    const machine = opened({ model: obeys(), evaluator });
    const assert = { kind: "assert", check: { argv: ["make"] }, otherwise: "stop" };
    let run = await compute(machine, await submission(["write a.txt a", assert, "write b.txt b"]));
    for (let time = 0; time < 2; time += 1) {
      expect(run).toMatchObject({ status: "partial", reason: "check_failed" });
      await machine.resume(run.id, {});
      run = await machine.compute(run.id, new AbortController().signal);
    }
    expect(run).toMatchObject({ status: "completed", instructions: 2 });
    const replayed = await machine.replay(run.id);
    expect(replayed).toMatchObject({ turns: run.turns, treeHash: replayed.expected });
    expect(replayed.difference).toBeUndefined();
  });

  it("waits for approval as a whole, and is executed as a person changed it", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const given = await aSubmission({
      ...{ options: { reflect: 0, approve: "plan" }, submission: { program: program(WHOLE) } },
    });
    const run = await compute(machine, given);
    expect(run).toMatchObject({ status: "waiting", reason: "approval", instructions: 0 });
    const shown = await storedProgram(machine, run);
    expect([shown.tree?.length, shown.instructions.map(({ title }) => title)]).toEqual([
      6,
      ["List the parts", "Write {{part}}", "Describe b", "Describe nothing", "Check {{file}}", "Repair", "Release"],
    ]);
    await machine.approve(run.id, program([WHOLE[0], WHOLE[1]]));
    const ended = await machine.compute(run.id, new AbortController().signal);
    expect(ended).toMatchObject({ status: "completed", instructions: 3 });
    expect(await stepsOf(machine, run.id)).toEqual(TITLES.slice(0, 3));
  });

  it("takes a list in place of a program with loops, and the other way round", async () => {
    const swap = async (from: unknown[], to: unknown[]) => {
      const machine = opened({ model: obeys(), evaluator: alwaysGreen });
      const run = await compute(
        machine,
        await aSubmission({ options: { reflect: 0, approve: "plan" }, submission: { program: program(from) } }),
      );
      await machine.approve(run.id, program(to));
      return machine.compute(run.id, new AbortController().signal);
    };
    expect(await swap(WHOLE, ["write a.txt a", "write b.txt b"])).toMatchObject({
      status: "completed",
      instructions: 2,
    });
    expect(await swap(["write a.txt a", "write b.txt b"], WHOLE)).toMatchObject({
      status: "completed",
      instructions: 8,
    });
  });

  it("goes on after a step that was split", async () => {
    const stuck = scriptedModel(
      (request) => {
        const isStuck = request.messages.some(({ content }) => content.includes(": Write a\n"));
        if (!isStuck) return { calls: [["complete_instruction", { summary: "done" }]] };
        return { calls: [["list_files", {}]] };
      },
      () => ({
        calls: [
          [
            "write_program",
            { instructions: ["Half", "Rest"].map((title) => ({ title, text: title, requirements: [] })) },
          ],
        ],
      }),
    );
    const machine = opened({ model: stuck, evaluator: alwaysGreen });
    const items = ["a", "b"];
    const body = [{ title: "Write {{item}}", text: "Write it." }];
    const run = await compute(
      machine,
      await submission([{ kind: "for_each", items, as: "item", atMost: 2, body }, "End."]),
    );
    expect(run.status).toBe("completed");
    const { instructions } = await look(machine, run.id);
    expect(instructions.map(({ title }) => title)).toEqual(["Half", "Rest", "Write b", "End"]);
  });

  it("is skipped over where a step of it is stuck, if that was asked for", async () => {
    const stuck = scriptedModel((request) => {
      const isStuck = request.messages.some(({ content }) => content.includes(": Write a\n"));
      return { calls: [isStuck ? ["list_files", {}] : ["complete_instruction", { summary: "done" }]] };
    });
    const machine = opened({ model: stuck, evaluator: alwaysGreen });
    const body = [{ title: "Write {{item}}", text: "Write it." }];
    const loop = { kind: "for_each", items: ["a", "b"], as: "item", atMost: 2, body };
    const run = await compute(
      machine,
      await aSubmission({ options: { reflect: 0, onTrap: "skip" }, submission: { program: program([loop, "End."]) } }),
    );
    expect(run).toMatchObject({ status: "partial", skipped: 1, instructions: 3, pc: 4 });
  });
});
