/** A check that ran out of time says nothing of the code: it is repeated once with twice the time. */
import { describe, expect, it } from "vitest";
import { startingFiles } from "../../lib/control/gate/user-tests.ts";
import { INVOCATION_MS } from "../../lib/core/limits.ts";
import type { EvaluationRequest, Evaluator } from "../../lib/core/ports.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import type { TestCase, Verdict } from "../../lib/core/verdict/verdict.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
import { look } from "../doubles/deaths.ts";
import { hastyClock } from "../doubles/hasty-clock.ts";
import { aSubmission, aVerdict, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Call, lastText, type ScriptedModel, turnsOf, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const MINUTE = 60_000;
const done: Call = ["complete_instruction", { summary: "done" }];
const TEST = "tests/test_total.py";
const cases = (status: TestCase["status"], ...names: string[]): TestCase[] =>
  names.map((name) => ({ name: `${TEST}::${name}`, status }));

const green = aVerdict({ tests: { runner: "pytest", passed: 2, cases: cases("passed", "test_one", "test_two") } });
const red = aVerdict({ tests: { status: "failed", passed: 1, failed: 1, cases: cases("failed", "test_two") } });
/** As vitest and jest do it, which report when they end. */
const late = aVerdict({
  tests: { status: "not_run", reason: "out_of_time", detail: "it had not ended", passed: 0, runner: "pytest" },
});
/** As pytest does it. */
const stopped = aVerdict({ tests: { status: "timed_out", passed: 1, cases: cases("passed", "test_one") } });

/** Answers by the number of the check, and takes its time. */
function slowly(answer: (asked: EvaluationRequest, number: number) => Verdict) {
  let passed = 0;
  const clock = { ...hastyClock, now: () => hastyClock.now() + passed };
  const limits: number[] = [];
  const evaluator: Evaluator = {
    async evaluate(request, signal) {
      signal?.throwIfAborted();
      if (request.smoke || !request.tests) return green;
      limits.push(request.timeoutMs / MINUTE);
      const verdict = answer(request, limits.length);
      if (verdict === late || verdict === stopped) passed += request.timeoutMs;
      return verdict;
    },
  };
  return { clock, evaluator, limits };
}

const first: Call[] = [writeFile("total.py", "total = sum\n"), writeFile(TEST, "def test_one(): ...\n")];
const twoSteps = (...second: Call[][]) => turnsOf([[first], second.length > 0 ? second : [[writeFile("other.py")]]]);
const submission = (options: Partial<RunOptions> = {}) => aSubmission({ options: { reflect: 0, ...options } });
const saidTo = ({ requests }: ScriptedModel): string => requests.map(lastText).join("\n");

describe("a test run at the gate that its time ended", () => {
  for (const ended of [late, stopped])
    it(`is repeated once with twice the time, and what it says then counts (${ended.tests.status})`, async () => {
      const model = twoSteps();
      const { limits, ...parts } = slowly((_, number) => (number === 2 ? ended : green));
      const machine = opened({ model, ...parts });
      const run = await compute(machine, await submission());
      expect(run).toMatchObject({ status: "completed", unchecked: [], testsPassed: 2 });
      expect(limits).toEqual([3, 3, 6]);
      expect(saidTo(model)).not.toContain("not accepted");
      expect((await machine.replay(run.id)).difference).toBeUndefined();
    });

  it("twice is unchecked: no accepted test counts as deleted, and --check-minutes is named", async () => {
    const model = twoSteps();
    const { limits, ...parts } = slowly((_, number) => (number > 1 ? late : green));
    const machine = opened({ model, ...parts });
    const run = await compute(machine, await submission());
    expect(saidTo(model)).not.toMatch(/put back|not accepted|locked tests/);
    expect(run).toMatchObject({ status: "completed", reason: "unchecked", testsPassed: 2 });
    const { instructions } = await look(machine, run.id);
    expect(instructions.map(({ unchecked }) => unchecked)).toEqual([[], [expect.stringContaining("out_of_time")]]);
    expect(limits).toEqual([3, 3, 6]);
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("is repeated in the next invocation when this one has too little time left", async () => {
    const model = twoSteps([writeFile("other.py"), ...[1, 2, 3].map((): Call => ["run_checks", {}]), done]);
    const { limits, ...parts } = slowly((_, number) => ([2, 3, 4, 5].includes(number) ? late : green));
    const run = await compute(opened({ model, ...parts }), await submission());
    expect(run).toMatchObject({ status: "completed", unchecked: [] });
    expect(limits).toEqual([3, 3, 3, 3, 3, 3]);
    expect(saidTo(model)).toContain("check again in the next turn");
  });

  it("of accepted versions leaves open whether the change weakens them, and they stay locked", async () => {
    const weaker = writeFile(TEST, "def test_one(): pass\n");
    const model = turnsOf([[first], [[weaker]], [[writeFile("third.py")]]]);
    const isRestored = ({ tests }: EvaluationRequest) => tests?.paths !== undefined;
    let restored = 0;
    const { clock, evaluator } = slowly((asked) => {
      if (!isRestored(asked)) return green;
      restored += 1;
      return restored < 3 ? late : red;
    });
    const machine = opened({ model, clock, evaluator });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "partial", pc: 3 });
    const { instructions } = await look(machine, run.id);
    expect(instructions[1]?.unchecked).toEqual([expect.stringContaining("locked tests: ")]);
    expect(restored).toBeGreaterThan(2);
    expect(saidTo(model)).not.toContain("cannot be run");
  });

  it("says nothing of given tests that passed before", async () => {
    const { codebase: pack } = await builtInPacks();
    const tests = new Map([[TEST, new TextEncoder().encode("def test_one(): ...\n")]]);
    const start = startingFiles({ from: undefined, tests, pack, runTests: true });
    const model = turnsOf([[[writeFile("total.py")]], [[writeFile("other.py")]], [[writeFile("third.py")]]]);
    const { limits: _, ...parts } = slowly((_asked, number) => (number === 2 || number === 3 ? stopped : green));
    const run = await compute(
      opened({ model, ...parts }),
      await aSubmission({ options: { reflect: 0, from: true }, submission: start }),
    );
    expect(saidTo(model)).not.toContain("not accepted");
    expect(run).toMatchObject({ status: "completed", givenTests: { passed: 2, total: 2 } });
  });

  it("is not repeated where no invocation has room for that", async () => {
    const { limits, ...parts } = slowly((_, number) => (number === 2 ? late : green));
    const run = await compute(opened({ model: twoSteps(), ...parts }), await submission({ checkMinutes: 12 }));
    expect(run).toMatchObject({ status: "completed", reason: "unchecked" });
    expect(limits).toEqual([12, 12]);
  });
});

describe("a baseline that its time ended", () => {
  const from = new Map([[TEST, new TextEncoder().encode("def test_one(): ...\n")]]);
  const starting = () => aSubmission({ options: { reflect: 0, from: true }, submission: { from } });
  const notes = () => turnsOf([[[writeFile("NOTES.md"), done]]]);

  it("is measured again with twice the time before the first instruction is paid", async () => {
    const model = notes();
    const { limits, ...parts } = slowly((_, number) => {
      expect(number < 3 ? model.requests.slice(1) : []).toEqual([]);
      return number === 1 ? late : red;
    });
    const machine = opened({ model, ...parts });
    const run = await compute(machine, await starting());
    expect(limits.slice(0, 2)).toEqual([3, 6]);
    expect(run).toMatchObject({ status: "completed", knownRed: 1, unchecked: [] });
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  for (const ended of [late, stopped])
    it(`twice makes no case known red (${ended.tests.status})`, async () => {
      const { limits, ...parts } = slowly((_, number) => (number < 3 ? ended : red));
      const machine = opened({ model: notes(), ...parts });
      const run = await compute(machine, await starting());
      expect(limits.slice(0, 3)).toEqual([3, 6, 3]);
      expect(run).toMatchObject({ status: "partial", pc: 1 });
      const { events } = await look(machine, run.id);
      expect(events.find(({ type }) => type === "baseline")).toMatchObject({ tests: "timed_out", knownRed: 0 });
    });

  it("twice leaves a suite that does not end later either unchecked", async () => {
    const { limits: _, ...parts } = slowly(() => stopped);
    const run = await compute(opened({ model: notes(), ...parts }), await starting());
    expect(run).toMatchObject({ status: "completed", reason: "unchecked" });
  });
});

describe("an invocation", () => {
  it("has room for the usual check and its repetition", () => {
    expect(3 * 3 * MINUTE).toBeLessThan(INVOCATION_MS);
  });
});
