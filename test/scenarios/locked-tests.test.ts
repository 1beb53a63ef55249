/** Accepted tests are locked: where their accepted version fails, the change is refused until the model says why it must be. */
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Evaluator, ModelRequest } from "../../lib/core/ports.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import type { Verdict } from "../../lib/core/verdict/verdict.ts";
import { look, throughDeaths } from "../doubles/deaths.ts";
import { alwaysGreen, aMachine, aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { lastText, placeOf, programOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const machines: TestMachine[] = [];
function removeMachines(): void {
  for (const machine of machines.splice(0)) {
    machine.close();
    machine.removeHome();
  }
}
afterEach(removeMachines);

function opened(parts: Parameters<typeof aMachine>[0]): TestMachine {
  const machine = aMachine(parts);
  machines.push(machine);
  return machine;
}

type Call = [name: string, args: object];
const write = (path: string, content: string): Call => ["write_files", { files: [{ path, content }] }];
const amend = (path: string, reason: string): Call => ["amend_test", { path, reason }];
const done: Call = ["complete_instruction", { summary: "done" }];

const TEST = "def test_two():\n    assert total([1, 1]) == 2\n\n\ndef test_none():\n    assert total([]) == 0\n";
const FEWER = "def test_two():\n    assert total([1, 1]) == 2\n";
const first: Call[] = [write("total.py", "total = sum\n"), write("tests/test_total.py", TEST)];

/** Everything is green, but for the accepted version of the test in the place of the new one. */
const redAsAccepted: Evaluator = {
  async evaluate({ tests, changes }, signal) {
    signal?.throwIfAborted();
    const restored = changes.find(({ path }) => path === "tests/test_total.py");
    if (!tests?.paths || new TextDecoder().decode(restored?.content ?? undefined) !== TEST) return aVerdict({});
    const name = "tests/test_total.py::test_none";
    const cases = [{ name, status: "failed" as const, message: "assert None == 0\nE  where None = total([])" }];
    return aVerdict({ tests: { status: "failed", passed: 1, failed: 1, cases } });
  },
};

/** Of two instructions; the turns of the second are given. */
const scripted =
  (second: (answers: number, request: ModelRequest) => Call[], instructions = 2) =>
  (request: ModelRequest): Said => {
    const { planning, instruction, answers } = placeOf(request);
    if (planning) return { calls: [["write_program", { instructions: programOf(instructions) }]] };
    if (instruction === 1) return { calls: answers === 0 ? first : [done] };
    return { calls: instruction === 2 ? second(answers, request) : [done] };
  };

const submission = (options: Partial<RunOptions> = {}) => aSubmission({ options: { reflect: 0, ...options } });
const reportOf = async (machine: TestMachine, id: string) =>
  JSON.parse(new TextDecoder().decode(await machine.files.get(`runs/${id}/report.json`)));
const toolsOf = (request: ModelRequest | undefined): string[] => (request?.tools ?? []).map(({ name }) => name);

const REASON = "the task says that an empty list has no total";
const AMENDMENTS = [{ path: "tests/test_total.py", reason: REASON }];
const turns: Call[][] = [
  [write("tests/test_total.py", FEWER)],
  [done],
  [amend("tests/test_total.py", ` ${REASON}\u0007\n`)],
  [done],
];

describe("an instruction that weakens a locked test", () => {
  it("is refused with path, line and the way on, amends with a reason, and is accepted with it", async () => {
    const model = scriptedModel(scripted((answers) => turns[answers] ?? [done]));
    const machine = opened({ model, evaluator: redAsAccepted });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "completed", lockedTests: 1 });

    const refused = model.requests.map(lastText).find((text) => text.includes("locked tests must be put right"));
    expect(refused).toContain(
      "tests/test_total.py as it was accepted, tests/test_total.py::test_none does not pass: assert None == 0",
    );
    expect(refused).toContain("With the accepted versions of the changed tests:");
    expect(refused).toContain("call amend_test with its path and the reason");
    const { instructions, events } = await look(machine, run.id);
    expect(instructions.map(({ amendments }) => amendments)).toEqual([undefined, AMENDMENTS]);
    expect(events.filter(({ type }) => type === "amended")).toMatchObject([{ instruction: 2, amendments: AMENDMENTS }]);
    const report = await reportOf(machine, run.id);
    expect(report.amendments).toEqual([{ instruction: 2, ...AMENDMENTS[0] }]);
    expect(report.instructions[1].amendments).toEqual(AMENDMENTS);
  });

  it("is offered the tool from the first instruction on, and never in planning", async () => {
    const model = scriptedModel(scripted((answers) => turns[answers] ?? [done]));
    const machine = opened({ model, evaluator: redAsAccepted });
    await compute(machine, await submission());
    const offered = model.requests.map((request) => [
      placeOf(request).instruction,
      toolsOf(request).includes("amend_test"),
    ]);
    expect(offered).toEqual([
      [0, false],
      ...[1, 1].map((number) => [number, true]),
      ...[2, 2, 2, 2].map((number) => [number, true]),
    ]);
    const untested = scriptedModel(scripted((answers) => turns[answers] ?? [done]));
    await compute(opened({ model: untested, evaluator: alwaysGreen }), await submission({ runTests: false }));
    expect(untested.requests.some((request) => toolsOf(request).includes("amend_test"))).toBe(false);
  });

  it("is replayed: the same requests, the same files", async () => {
    const model = scriptedModel(scripted((answers) => turns[answers] ?? [done], 3));
    const machine = opened({ model, evaluator: redAsAccepted });
    const run = await compute(machine, await submission());
    const replayed = await machine.replay(run.id);
    expect(replayed.difference).toBeUndefined();
    expect(replayed).toMatchObject({ treeHash: replayed.expected, turns: run.turns });
  });

  it("is accepted where it puts the test back as it was", async () => {
    const mended: Call[][] = [[write("tests/test_total.py", FEWER)], [done], [write("tests/test_total.py", TEST)]];
    const machine = opened({ model: scriptedModel(scripted((at) => mended[at] ?? [done])), evaluator: redAsAccepted });
    const run = await compute(machine, await submission());
    expect(run.status).toBe("completed");
    expect((await look(machine, run.id)).instructions[1]).not.toHaveProperty("amendments");
  });

  it("needs no amendment where the accepted version passes beside the new one", async () => {
    const machine = opened({ model: scriptedModel(scripted((at) => turns[at] ?? [done])), evaluator: alwaysGreen });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "completed", turns: 5 });
    expect((await look(machine, run.id)).instructions[1]).not.toHaveProperty("amendments");
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("is refused where the accepted version cannot be run at all", async () => {
    const evaluator: Evaluator = {
      evaluate: async ({ tests }) =>
        aVerdict({ tests: tests?.paths ? { status: "crashed", passed: 0, detail: "no such fixture" } : {} }),
    };
    const model = scriptedModel(scripted((answers) => turns[answers] ?? [done]));
    const run = await compute(opened({ model, evaluator }), await submission());
    expect(run.status).toBe("completed");
    const refused = model.requests.map(lastText).find((text) => text.includes("locked tests must be put right"));
    expect(refused).toContain("its accepted version cannot be run: the test run crashed (no such fixture)");
  });

  it("has been weakened over several turns all the same, and with tests that the run started from", async () => {
    const model = scriptedModel((request) => {
      const { planning, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(1) }]] };
      const edits = [{ find: "test_none", replace: "ignored" }];
      const steps: Call[][] = [
        [["edit_file", { path: "tests/test_total.py", edits }]],
        [write("other.txt", "x\n")],
        [
          [
            "edit_file",
            { path: "tests/test_total.py", edits: [{ find: "    assert total([]) == 0\n", replace: "    pass\n" }] },
          ],
        ],
      ];
      return { calls: steps[answers] ?? [done] };
    });
    const machine = opened({ model, evaluator: redAsAccepted });
    const from = new Map([["tests/test_total.py", new TextEncoder().encode(TEST)]]);
    const given = await aSubmission({ options: { reflect: 0, from: true }, submission: { from } });
    const run = await compute(machine, given);
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 1 });
    expect(toolsOf(model.requests[1])).toContain("amend_test");
  });
});

describe("an amendment", () => {
  it("is refused for what is not locked, and says why", async () => {
    const asked: Call[][] = [
      [
        write("tests/test_new.py", "def test_new():\n    assert total\n"),
        amend("total.py", "other rules"),
        amend("tests/test_new.py", "other rules"),
        amend("tests/test_gone.py", "other rules"),
        amend("pytest.ini", "tests lie elsewhere now"),
      ],
    ];
    const model = scriptedModel(scripted((answers) => asked[answers] ?? [done]));
    const machine = opened({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await submission());
    const said = model.requests.at(-1)?.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
    expect(said?.slice(-4)).toEqual([
      expect.stringContaining("total.py is no test"),
      expect.stringContaining("tests/test_new.py may be changed"),
      expect.stringContaining("tests/test_gone.py is not locked"),
      expect.stringContaining("pytest.ini may be changed"),
    ]);
    expect((await look(machine, run.id)).instructions[1]?.amendments).toEqual([
      { path: "tests/test_new.py", reason: "other rules" },
      { path: "pytest.ini", reason: "tests lie elsewhere now" },
    ]);
  });

  it("covers its own path alone", async () => {
    const model = scriptedModel(
      scripted((answers) =>
        answers === 0 ? [amend("pytest.ini", "why not"), write("tests/test_total.py", "")] : [done],
      ),
    );
    const run = await compute(opened({ model, evaluator: redAsAccepted }), await submission());
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 2 });
  });

  it("belongs to its instruction: the next one has to amend again", async () => {
    const third = scripted((answers) => turns[answers] ?? [done], 3);
    const model = scriptedModel((request) => {
      const { instruction, answers } = placeOf(request);
      if (instruction !== 3) return third(request);
      return { calls: answers === 0 ? [["delete_files", { paths: ["tests/test_total.py"] }]] : [done] };
    });
    const run = await compute(opened({ model, evaluator: alwaysGreen }), await submission());
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 3 });
  });

  it("is kept by a fresh conversation, whose note names it", async () => {
    const model = scriptedModel(
      scripted((answers, request) => {
        if (JSON.stringify(request.messages).includes("Locked tests that may be changed")) return [done];
        return answers === 0
          ? [amend("tests/test_total.py", REASON), write("tests/test_total.py", FEWER)]
          : [["list_files", {}]];
      }),
    );
    const machine = opened({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await submission());
    expect(run.status).toBe("completed");
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(`- tests/test_total.py: ${REASON}`);
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("is forgotten where its instruction is skipped", async () => {
    const circling = scripted(
      (answers) =>
        answers === 0
          ? [amend("tests/test_total.py", REASON), write("tests/test_total.py", FEWER)]
          : [["list_files", {}]],
      3,
    );
    const machine = opened({ model: scriptedModel(circling), evaluator: alwaysGreen });
    const run = await compute(machine, await submission({ onTrap: "skip" }));
    expect(run).toMatchObject({ status: "partial", skipped: 1, lockedTests: 1 });
    const { instructions, tree } = await look(machine, run.id);
    expect(instructions[1]).not.toHaveProperty("amendments");
    expect(tree["tests/test_total.py"]).toBe(TEST);
    expect((await reportOf(machine, run.id)).amendments).toEqual([]);
  });
});

describe("a process that is killed while a locked test is amended", () => {
  const homes: TestMachine[] = [];
  afterAll(() => {
    for (const machine of homes) machine.removeHome();
  });

  it("has kept the amendment or not made it, at whatever call it dies", async () => {
    const script = scripted((answers) => turns[answers] ?? [done]);
    const mortal = {
      submission: await submission(),
      evaluator: redAsAccepted,
      model: () => scriptedModel(script),
      homes,
    };
    const calm = await throughDeaths(mortal, [{ call: Number.POSITIVE_INFINITY, when: "before" }]);
    expect(calm.instructions[1]?.amendments).toEqual(AMENDMENTS);
    const calls = await countCalls(mortal);
    expect(calls).toBeGreaterThan(20);
    for (const call of sampledCalls(1, calls)) {
      for (const when of ["before", "after"] as const) {
        const { run, hash, instructions, events } = await throughDeaths(mortal, [{ call, when }]);
        expect(run, `${when} call ${call}`).toMatchObject({ status: "completed" });
        expect(hash).toBe(calm.hash);
        expect(instructions[1]?.amendments).toEqual(AMENDMENTS);
        expect(events.filter(({ type }) => type === "amended")).toHaveLength(1);
      }
    }
  });

  const countCalls = async (mortal: Parameters<typeof throughDeaths>[0]): Promise<number> =>
    (await throughDeaths(mortal, [])).boundaries;
});

describe("tests that vanish without a trace", () => {
  const counting = (counts: number[]) => {
    let asked = 0;
    const verdict = (): Verdict => aVerdict({ tests: { passed: counts[Math.min(asked++, counts.length - 1)] ?? 0 } });
    return { evaluate: async () => verdict() };
  };
  /** Instruction 1 writes, with a check, and is judged; instruction 2 is judged at once. */
  const script = (more: Call[][] = []) => scripted((answers) => more[answers] ?? [done]);

  it("are not accepted: fewer pass than in the last accepted tree, though none fails", async () => {
    const model = scriptedModel(script());
    const machine = opened({ model, evaluator: counting([5, 5, 5, 3]) });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 2, testsPassed: 5 });
    const refused = model.requests.map(lastText).find((text) => text.includes("Tests have vanished"));
    expect(refused).toContain("5 tests passed in the last accepted tree, and 3 pass now");
  });

  it("are accepted with an amendment that says why", async () => {
    const model = scriptedModel(script([[done], [amend("tests/test_total.py", REASON)]]));
    const machine = opened({ model, evaluator: counting([5, 5, 5, 3]) });
    expect(await compute(machine, await submission())).toMatchObject({ status: "completed", testsPassed: 3 });
  });

  it("are none where as many pass as before, or more", async () => {
    const machine = opened({ model: scriptedModel(script()), evaluator: counting([5, 5, 5, 5]) });
    expect(await compute(machine, await submission())).toMatchObject({ status: "completed", testsPassed: 5 });
  });
});
