/** Runs with an examiner: with lanes, forks and make, and those that an earlier version began. */
import { describe, expect, it } from "vitest";
import { submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import { makeRun } from "../../lib/control/make/make-run.ts";
import type { Attributes, ModelRequest } from "../../lib/core/ports.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { metaKey } from "../../lib/registry/keys.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { look } from "../doubles/deaths.ts";
import {
  check,
  code,
  evidenceOf,
  examined,
  prove,
  proving,
  requirements,
  scripted,
  submission,
  write,
} from "../doubles/evidence-runs.ts";
import { aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Call, lastText } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const names = ["a", "b", "c"];
const checks = names.map((name, at): Call[] => [
  write(check(name, "return 1")),
  prove(`R${at + 1}`, `test/${name}.test.js`),
]);
const turns = names.map((name): Call[][] => [[write(code(name, "return 1;"))]]);
const KINDS = [
  ["independent", 2],
  ["strict", 4],
] as const;

const isExamining = ({ messages }: ModelRequest): boolean =>
  messages.some(({ content }) => content.startsWith("Examining the requirements"));

const examinedRun = async (kind: "independent" | "strict", count = 2) => {
  const model = examined(checks.slice(0, count), turns);
  const machine = opened({ model, evaluator: checkingEvaluator() });
  return { machine, model, run: await compute(machine, await submission(count, kind)) };
};

const replays = async (machine: TestMachine, { id }: Run): Promise<void> => {
  const { difference, treeHash, expected } = await machine.replay(id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
};

describe.each(KINDS)("with --evidence %s", (kind, grade) => {
  it("two lanes wait for the checks and the first instruction, and meet the rest side by side", async () => {
    const model = examined(checks, turns);
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const program = {
      requirements: requirements(3),
      instructions: names.map((name, at) => ({
        ...{ id: name, title: `Part ${at + 1}`, text: "Do it.", requirements: [`R${at + 1}`] },
        needs: at === 0 ? [] : ["a"],
      })),
    };
    const run = await compute(
      machine,
      await aSubmission({
        options: { reflect: 0, evidence: kind, parallel: 2 },
        submission: { program, requirements: requirements(3) },
      }),
    );
    expect(run).toMatchObject({ status: "completed", proven: { proven: 3, total: 3 } });
    expect((await machine.registry.evidence(run.id)).map((each) => [each.grade, each.metIn])).toEqual(
      [1, 2, 3].map((at) => [grade, at]),
    );
    await replays(machine, run);
  });

  it("a fork has the checks, locked, asks no examiner again, and is proven by them", async () => {
    const { machine, run } = await examinedRun(kind);
    const written = (wants: string): Call => write({ ...check("b", wants), ...code("b", `${wants};`) });
    const model = examined([], [[], [[written("return 2")], [written("return 1")]]]);
    const later = opened({ model, home: machine.home, evaluator: checkingEvaluator() });
    const forked = await compute(later, await submissionOfFork(later, run, { at: "1", name: "fork" }));
    expect(model.requests.some(isExamining)).toBe(false);
    expect(model.requests.map(lastText).join("\n")).toContain(
      "test/b.test.js was written by the examiner, and is locked",
    );
    expect(forked).toMatchObject({ status: "completed", proven: { proven: 2, total: 2 }, format: run.format });
    expect((await evidenceOf(later, forked.id)).map(([, found]) => found)).toEqual([grade, grade]);
    await replays(later, forked);
    const { paths } = await look(later, forked.id);
    expect(paths.toSorted()).toEqual(["src/a.js", "src/b.js", "test/a.test.js", "test/b.test.js"]);
  });

  it("make examines again, and executes what serves a requirement", async () => {
    const { machine, run } = await examinedRun(kind);
    const model = examined(checks.slice(0, 2), turns);
    const later = opened({ model, home: machine.home, evaluator: checkingEvaluator() });
    const { submission: again } = await makeRun(later, run, { name: "again" });
    const made = await compute(later, again);
    expect(model.requests.some(isExamining)).toBe(true);
    expect(made).toMatchObject({ status: "completed", proven: { proven: 2, total: 2 } });
    expect((await evidenceOf(later, made.id)).map(([, found]) => found)).toEqual([grade, grade]);
    await replays(later, made);
  });
});

describe("with --evidence strict", () => {
  it("what is too weak holds nothing up, is noted with the instruction, and is not executed again on the same work", async () => {
    const weak: Call[] = [write({ "test/a.test.js": "// runs\n" }), prove("R1", "test/a.test.js")];
    const model = examined(
      [weak, checks[1] ?? []],
      [[[write(code("a", "return 1;"))]], [[write({ "notes.md": "n\n" })], [write(code("b", "return 1;"))]]],
    );
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const run = await compute(machine, await submission(2, "strict"));
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 1, total: 2 } });
    expect(run.detail).toMatch(/R1 \(R1#1 grade E2: 0 of 2 mutants killed; not noticed: src\/a\.js:2: /);
    expect(model.requests.map(lastText).join("\n")).not.toContain("requirements that no evidence proves");
    expect((await look(machine, run.id)).instructions.map(({ unproven }) => unproven)).toEqual([["R1"], undefined]);
    const [found] = await machine.registry.evidence(run.id);
    expect(found).toMatchObject({ grade: 2, needed: 4, metIn: 2, mutants: { killed: 0 } });
    await replays(machine, run);
  });

  it("a run that an earlier version began has no examiner, and is proven by its author at E3", async () => {
    const storage = lastingStorage();
    const machine = opened({ model: scripted([proving("a", "R1")]), evaluator: checkingEvaluator(), storage });
    const { id } = await machine.submit(await submission(1, "strict"));
    const { toExamine: _toExamine, ...record } = { ...(await storage.table.get(metaKey(id))) } as Attributes;
    await storage.table.transact([{ put: { ...record, ...metaKey(id), format: 4 } }]);
    const run = await machine.compute(id, new AbortController().signal);
    expect(run).toMatchObject({ status: "completed", format: 4, proven: { proven: 1, total: 1 } });
    expect((await machine.registry.evidence(id)).map(({ grade, needed }) => [grade, needed])).toEqual([[3, 3]]);
    const forked = await submissionOfFork(machine, run, { at: "1.1", name: "fork" });
    expect(await machine.submit(forked)).toMatchObject({ format: 4 });
  });
});
