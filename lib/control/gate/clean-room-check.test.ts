/** The clean-room check runs once, from the latest pack, in an invocation that has the time; a crash repeats it. */
import { describe, expect, it } from "vitest";
import { aMachine, aSubmission, aVerdict, compute, type TestMachine } from "../../../test/doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../../../test/doubles/mortal-storage.ts";
import { openedMachines } from "../../../test/doubles/opened-machines.ts";
import { programOf, scriptedModel, writerOf } from "../../../test/doubles/scripted-model.ts";
import { createVirtualClock } from "../../../test/virtual-clock.ts";
import { NotReady } from "../../core/errors.ts";
import { EVALUATION_MS, INVOCATION_MS, INVOCATION_RESERVE_MS } from "../../core/limits.ts";
import type { EvaluationRequest, Evaluator } from "../../core/ports.ts";
import type { RunOptions } from "../../core/run/option-forms.ts";
import { notRun, type SmokeVerdict, type Verdict } from "../../core/verdict/verdict.ts";
import { unpackTree } from "../../pack/pack.ts";
import { checkDelivery } from "./clean-room-check.ts";

const { machines } = openedMachines();

const never = new AbortController().signal;
const works = writerOf(2, (instruction) => [{ path: `f${instruction}.py`, content: `a = ${instruction}\n` }]);
const program = { instructions: programOf(2), requirements: [] };
const started: SmokeVerdict = { status: "passed", argv: ["python", "f1.py", "--help"], exitCode: 0, output: "" };

/** Remembers what was asked of the delivery; `trials` answers in place of the usual green. */
function watching(trial: (number: number) => Partial<SmokeVerdict> | Promise<never> = () => ({})) {
  const asked: EvaluationRequest[] = [];
  const evaluator: Evaluator = {
    async evaluate(request): Promise<Verdict> {
      if (!request.smoke) return aVerdict({});
      asked.push(request);
      return { ...aVerdict({}), smoke: { ...started, ...(await trial(asked.length)) } };
    },
  };
  return { asked, evaluator };
}

function opened(parts: Parameters<typeof aMachine>[0]): TestMachine {
  const machine = aMachine({
    model: scriptedModel(works),
    clock: createVirtualClock(),
    storage: lastingStorage(),
    ...parts,
  });
  machines.push(machine);
  return machine;
}

const submission = (options: Partial<RunOptions> = {}) =>
  aSubmission({ options: { reflect: 0, ...options }, submission: { program } });

const smokesOf = async ({ registry }: TestMachine, id: string) =>
  (await registry.events(id, { after: 0, limit: 1_000 })).filter(({ type }) => type === "smoke");

describe("tests that the prompts turn off", () => {
  const tested = writerOf(2, (at) => [{ path: `test_${at}.py`, content: "def test(): assert False\n" }]);
  const ended = async (options: Partial<RunOptions>) =>
    compute(
      opened({ ...watching(), model: scriptedModel(tested) }),
      await submission({ domain: "custom", ...options }),
    );

  it("leave a run with tests unchecked, which is not green", async () => {
    expect(await ended({})).toMatchObject({
      ...{ status: "completed", reason: "unchecked" },
      unchecked: ["tests: 2 test files not run; tests are off in the domain custom"],
    });
  });

  it("leave nothing open where the user turned them off too", async () => {
    expect(await ended({ runTests: false })).toMatchObject({ status: "completed", unchecked: [] });
  });
});

describe("the trial of a delivery", () => {
  it("is one evaluation of the last pack, with tests and start, and without changes", async () => {
    const { asked, evaluator } = watching();
    const machine = opened({ evaluator });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "completed", packed: 2, unchecked: [] });
    expect(run.smoke).toEqual({
      status: "passed",
      detail: "1 test passed there; `python f1.py --help` started",
    });
    expect(asked).toHaveLength(1);
    const { base, ...request } = asked[0] as EvaluationRequest;
    expect(request).toEqual({
      runId: run.id,
      changes: [],
      tests: {},
      smoke: true,
      install: false,
      timeoutMs: EVALUATION_MS,
    });
    const packed = [...unpackTree(await base.load()).keys()];
    expect(packed).toEqual(["f1.py", "f2.py"]);
    expect(base.key).toBe(`runs/${run.id}/packs/000002.zip`);
    expect(await smokesOf(machine, run.id)).toHaveLength(1);
  });

  it.each<[Partial<RunOptions>, string]>([
    [{ domain: "book" }, "nothing_to_check"],
    [{ runTests: false }, "turned_off"],
  ])("asks no evaluator where there is nothing to try: %j", async (options, reason) => {
    const { asked, evaluator } = watching();
    const run = await compute(opened({ evaluator }), await submission(options));
    expect(asked).toEqual([]);
    expect(run.smoke).toMatchObject({ status: "not_run", reason });
    expect(run.unchecked.filter((what) => what.includes("clean-room check"))).toEqual([]);
  });

  it.each([
    ["q6", ["the result: none of its files is of a known kind"]],
    ["notes.txt", []],
  ])("leaves a codebase unchecked of files that no check knows: %s", async (path, unchecked) => {
    const noise = writerOf(2, (instruction) => [{ path: `${instruction}/${path}`, content: "IBHoYb3v9o4\n" }]);
    const evaluator: Evaluator = { evaluate: async () => notRun("nothing_to_check") };
    const run = await compute(opened({ evaluator, model: scriptedModel(noise) }), await submission());
    expect(run).toMatchObject({ status: "completed", unchecked });
  });

  it("says once what did not start", async () => {
    const { evaluator } = watching(() => ({ status: "failed", detail: "it ended with 1" }));
    const run = await compute(opened({ evaluator }), await submission());
    expect(run.status).toBe("completed");
    expect(run.unchecked).toEqual([
      "the clean-room check of the delivery: 1 test passed there; `python f1.py --help` did not start (it ended with 1)",
    ]);
  });

  it("is left to the next invocation where this one has no time for it", async () => {
    const { machine, runId, asked } = await diedOfTrial();
    const resumed = await machine.registry.run(runId);
    const run = await machine.registry.claim(runId, resumed?.epoch ?? -1);
    const left = (milliseconds: number) => ({ remainingMs: () => milliseconds, signal: never });
    const needed = EVALUATION_MS + INVOCATION_RESERVE_MS;
    expect(await checkDelivery(machine.world, run, left(needed - 1))).toEqual({
      kind: "answer",
      answer: { next: "execute" },
    });
    expect([asked.length, (await smokesOf(machine, runId)).length]).toEqual([1, 0]);
    expect(await checkDelivery(machine.world, run, left(needed))).toMatchObject({ kind: "done" });
    expect([asked.length, (await smokesOf(machine, runId)).length]).toEqual([2, 1]);
  });

  it("is made by the execution's next invocation after a gate that took this one's time", async () => {
    const attempts = async (gateMs: number) => {
      const clock = createVirtualClock();
      const { asked, evaluator } = watching();
      const slow: Evaluator = {
        async evaluate(request, signal) {
          if (request.tests && !request.smoke) await clock.sleep(gateMs);
          return evaluator.evaluate(request, signal);
        },
      };
      const run = await compute(opened({ evaluator: slow, clock }), await submission());
      expect(run).toMatchObject({ status: "completed", smoke: { status: "passed" } });
      expect(asked).toHaveLength(1);
      return run.attempt;
    };
    const late = INVOCATION_MS - EVALUATION_MS - INVOCATION_RESERVE_MS + 1_000;
    expect(await attempts(late)).toBe((await attempts(0)) + 1);
  });

  it("waits for an evaluator that is not ready, and is delivered then", async () => {
    const { asked, evaluator } = watching((number) =>
      number === 1 ? Promise.reject(new NotReady("it sleeps", 60_000)) : {},
    );
    const machine = opened({ evaluator });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "completed", smoke: { status: "passed" }, unchecked: [] });
    expect(asked).toHaveLength(2);
    const events = await machine.registry.events(run.id, { after: 0, limit: 1_000 });
    expect(events.filter(({ type }) => type === "waiting")).toHaveLength(1);
  });

  it("is made again where it died before it was written down, and is delivered once", async () => {
    const { machine, runId, asked } = await diedOfTrial();
    const run = await machine.compute(runId, never);
    expect(run).toMatchObject({ status: "completed", smoke: { status: "failed" } });
    expect(run.unchecked).toHaveLength(1);
    expect(asked).toHaveLength(2);
    expect(await smokesOf(machine, run.id)).toHaveLength(1);
    const events = await machine.registry.events(run.id, { after: 0, limit: 1_000 });
    expect(events.filter((event) => event.type === "ended" && event.status === "completed")).toHaveLength(1);
  });
});

/** A run whose process was killed between the trial and its writing down, resumed by another. */
async function diedOfTrial() {
  const lasting = lastingStorage();
  const { asked, evaluator } = watching(() => ({ status: "failed", detail: "it ended with 1" }));
  const dying = mortalAfterTrial(lasting, evaluator);
  const first = opened({ evaluator: dying.evaluator, storage: dying.storage });
  const { id: runId } = await first.submit(await submission());
  await expect(first.compute(runId, dying.killed)).rejects.toThrow("process killed");
  const machine = opened({ evaluator, storage: lasting, home: first.home });
  await machine.sweep();
  await machine.resume(runId, {});
  return { machine, runId, asked };
}

/** The process is killed at the first call of its storage after the trial. */
function mortalAfterTrial(lasting: ReturnType<typeof lastingStorage>, { evaluate }: Evaluator) {
  const killing = new AbortController();
  const death = { call: Number.POSITIVE_INFINITY, when: "before" as const };
  const storage = mortalStorage(lasting, death, () => killing.abort(new Error("process killed")));
  const evaluator: Evaluator = {
    async evaluate(request, signal) {
      const verdict = await evaluate(request, signal);
      if (request.smoke) death.call = storage.calls() + 1;
      return verdict;
    },
  };
  return { storage, evaluator, killed: killing.signal };
}
