/** What evidence is worth later: when its check changes, when it proves little, and when it holds an instruction up. */
import { describe, expect, it } from "vitest";
import { waive } from "../../lib/control/evidence/waive.ts";
import { replacedBy } from "../../lib/control/program/stored-program.ts";
import { isAllProven, provenOf } from "../../lib/core/evidence/standing.ts";
import type { Evaluator } from "../../lib/core/ports.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import {
  check,
  code,
  done,
  evidenceOf,
  prove,
  proving,
  scripted,
  submission,
  write,
} from "../doubles/evidence-runs.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Call, lastText, placeOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";
import { createVirtualClock } from "../virtual-clock.ts";

const { opened } = openedMachines();

async function computed(turns: Call[][][]) {
  const model = scripted(turns);
  const machine = opened({ model, evaluator: checkingEvaluator() });
  const run = await compute(machine, await submission(turns.length));
  return { run, machine, said: model.requests.map(lastText).join("\n----\n") };
}

const amend = (name: string): Call => ["amend_test", { path: `test/${name}.test.js`, reason: "the task changes it" }];
const remove = (...paths: string[]): Call => ["delete_files", { paths }];
const proven = (name: string, requirement: string): Call[] => [
  write({ ...code(name, "return 1;"), ...check(name, "return 1") }),
  prove(requirement, `test/${name}.test.js`),
];
const CHANGED = "R1#1 grade E1: the check was changed; prove it again";

describe("a check that is changed after it was executed", () => {
  it("proves nothing any more, in the same instruction", async () => {
    const { run, said } = await computed([[...proving("a", "R1"), [write(check("a", "export function"))]]]);
    expect(said).toContain(CHANGED);
    expect(run).toMatchObject({
      ...{ status: "partial", reason: "unproven" },
      proven: { proven: 0, unproven: [{ requirement: "R1", why: CHANGED }] },
    });
  });

  it("proves nothing any more where a later instruction weakens it: that one is refused once, and says so", async () => {
    const weaken = [
      amend("a"),
      write({ ...code("a", "return 2;"), ...check("a", "export function") }),
      ...proven("b", "R2"),
    ];
    const { run, machine, said } = await computed([proving("a", "R1"), [weaken]]);
    expect(said).toContain(`requirements that no evidence proves:\n- R1: ${CHANGED}`);
    expect(run).toMatchObject({ reason: "unproven", proven: { proven: 1, unproven: [{ requirement: "R1" }] } });
    expect((await machine.registry.evidence(run.id)).map(({ changed }) => changed)).toEqual([true, undefined]);
  });

  it("counts again when its files are as they were, and the same check proved again takes its place", async () => {
    const weaken = [amend("a"), write(check("a", "export function")), ...proven("b", "R2")];
    const back = await computed([proving("a", "R1"), [weaken, [write(check("a", "return 1"))]]]);
    expect(back.run).toMatchObject({ status: "completed", proven: { proven: 2 } });
    const again = await computed([
      proving("a", "R1"),
      [weaken, [write(check("a", "return 1;")), prove("R1", "test/a.test.js")]],
    ]);
    expect(again.run).toMatchObject({ status: "completed", proven: { proven: 2 } });
    expect((await evidenceOf(again.machine, again.run.id)).slice(0, 2)).toEqual([
      ["R1#1", 2, undefined, 2],
      ["R1#2", 2, "passed"],
    ]);
  });
});

describe("evidence that an instruction breaks", () => {
  it("of grade E1 does not hold it up", async () => {
    const weak: Call[][] = [
      [write({ ...code("a", "return 1;"), ...check("a", "export function") }), prove("R1", "test/a.test.js")],
    ];
    const drop = [amend("a"), remove("test/a.test.js"), ...proven("b", "R2")];
    const { run, said } = await computed([weak, [drop]]);
    expect(said).not.toContain("were proven are broken");
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 1 } });
  });

  it("of grade E1 holds it up where it proves, and a check that proves nothing does not replace it", async () => {
    const data = [
      write({ "src/a.js": "export const a = 1;\n", ...check("a", "a = 1") }),
      prove("R1", "test/a.test.js"),
    ];
    const weaken = [
      ...[amend("a"), remove("test/a.test.js"), ...proven("b", "R2")],
      ...[write({ ...code("c", "return 1;"), ...check("c", "export function") }), prove("R1", "test/c.test.js")],
    ];
    const { run, machine, said } = await computed([[data], [weaken]]);
    expect(said).toContain("were proven are broken");
    expect(await evidenceOf(machine, run.id)).toContainEqual(["R1#1", 1, undefined]);
  });

  it("is replaced by a check of what was there before the instruction: red on stubs is enough", async () => {
    const move = [amend("a"), remove("test/a.test.js"), ...proven("b", "R2")];
    const other = [write({ "test/a.test.js": "// wants: return 1;\n" }), prove("R1", "test/a.test.js")];
    const { run, machine } = await computed([proving("a", "R1"), [move, other]]);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, total: 2 } });
    const [, again] = await machine.registry.evidence(run.id);
    expect(again).toMatchObject({ requirement: "R1", n: 2, grade: 2, base: { status: "missing" } });
  });

  it("is not replaced by one that passes there and on stubs too", async () => {
    const weaken = [
      amend("a"),
      write(check("a", "export function")),
      ...proven("b", "R2"),
      prove("R1", "test/a.test.js"),
    ];
    const { run, said } = await computed([proving("a", "R1"), [weaken]]);
    expect(said).toContain("shows nothing of what was built before it");
    expect(run).toMatchObject({ reason: "unproven", proven: { proven: 1 } });
  });
});

describe("a delivery whose evidence takes longer than one invocation", () => {
  it("makes the clean-room check once, and goes on with the evidence where it was", async () => {
    const clock = createVirtualClock();
    const checking = checkingEvaluator({ isBroken: ({ smoke }) => smoke === true });
    const evaluator: Evaluator = {
      async evaluate(request, signal) {
        if (request.smoke || request.delivered) await clock.sleep(10 * 60_000);
        return checking.evaluate(request, signal);
      },
    };
    const model = scripted([proving("a", "R1"), proving("b", "R2")]);
    const machine = opened({ model, evaluator, clock, storage: lastingStorage(), loopLimit: 40 });
    const asked = await submission(2);
    const run = await compute(machine, { ...asked, options: { ...asked.options, checkMinutes: 12 } });
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, total: 2 } });
    expect(run).not.toHaveProperty("checkedTree");
    expect(checking.asked.filter((what) => /^(?:smoke|delivered)/.test(what))).toEqual([
      "smoke tests",
      "delivered test/a.test.js",
      "delivered test/b.test.js",
    ]);
  });
});

describe("a run of which only the delivery is left", () => {
  it("is resumed after a waiver though nothing is left of the day", async () => {
    const storage = lastingStorage();
    const parts = { model: scripted([[]]), evaluator: checkingEvaluator(), clock: createVirtualClock(), storage };
    const machine = opened(parts);
    const asked = await submission(1);
    const profile = { ...asked.profile, price: { input: 1, output: 10 } };
    const run = await compute(machine, { ...asked, profile });
    expect(run).toMatchObject({ status: "partial", reason: "unproven" });
    await waive(machine.world, run.id, { requirement: "R1", reason: "seen" });
    const poor = opened({ ...parts, dailyUsd: 1e-6 });
    await poor.resume(run.id, {});
    const again = await poor.compute(run.id, new AbortController().signal);
    expect(again).toMatchObject({ status: "completed", turns: run.turns, proven: { waived: ["R1"] } });
  });
});

describe("requirements with parts", () => {
  const nested = ["R1", "R1.1", "R1.2"].map((id) => ({ id, text: `${id} works.` }));
  const parts = [...proven("a", "R1.1"), ...proven("b", "R1.2")];
  const asked = async (served: string[][]) => {
    const instructions = served.map((ids) => ({ title: ids.join(), text: ids.join(), requirements: ids }));
    const options = { reflect: 0, evidence: "own" as const };
    const program = { requirements: nested, instructions };
    return aSubmission({ options, submission: { program, requirements: nested } });
  };

  it("are proven where all their parts are, which the instruction that serves them is asked for", async () => {
    const model = scripted([[[write({ "notes.txt": "first\n" })], [done], parts]]);
    const run = await compute(opened({ model, evaluator: checkingEvaluator() }), await asked([["R1"]]));
    expect(run).toMatchObject({ status: "completed", proven: { proven: 3, total: 3 } });
    const refused = model.requests.map(lastText).find((text) => text.includes("no evidence proves"));
    expect(refused).toContain("- R1.1: no evidence\n- R1.2: no evidence\n");
    expect(refused).not.toContain("- R1: ");
  });

  it("are not asked for parts that another instruction names, and not proven without them", async () => {
    const model = scripted([[parts.slice(0, 2)], []]);
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const run = await compute(machine, await asked([["R1"], ["R1.2"]]));
    expect((await machine.registry.instructions(run.id)).map(({ unproven }) => unproven)).toEqual([
      undefined,
      ["R1.2"],
    ]);
    expect(run.detail).toContain("Not proven: R1 (not proven: R1.2); R1.2 (no evidence).");
  });
});

describe("a run that asks for evidence and has no requirements", () => {
  it("is refused with its program", async () => {
    const machine = opened({ model: scripted([[]]), evaluator: checkingEvaluator() });
    const program = { requirements: [], instructions: [{ title: "Do it", text: "Do it.", requirements: [] }] };
    const asked = await aSubmission({ options: { evidence: "own" }, submission: { program } });
    await expect(machine.submit(asked)).rejects.toThrow("there is nothing to prove. Nothing was created.");
  });

  it("is not planned so: the model is asked for them", async () => {
    const step = { title: "Do it", text: "Do it.", requirements: [] };
    const model = scriptedModel((request): Said => {
      const { planning, answers } = placeOf(request);
      if (!planning) return { calls: [done] };
      const named = answers > 0 ? { requirements: [{ id: "R1", text: "It works." }] } : {};
      return { calls: [["write_program", { ...named, instructions: [step] }]] };
    });
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0, evidence: "own" } }));
    expect(model.requests.map(lastText).join("\n")).toContain("It names no requirements, and this run is done when");
    expect(run).toMatchObject({ reason: "unproven", proven: { proven: 0, total: 1 } });
  });

  it("is refused once: a model that names none gets no further, and the run says that nothing is proven", async () => {
    const step = { title: "Do it", text: "Do it.", requirements: [] };
    const model = scriptedModel((request): Said => {
      const { planning } = placeOf(request);
      return { calls: [planning ? ["write_program", { instructions: [step] }] : done] };
    });
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0, evidence: "own" } }));
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 0, total: 0 } });
    expect(run.detail).toContain("It names no requirements, so that nothing of it is proven.");
  });

  it("proves nothing by that", () => {
    expect(isAllProven(provenOf([], { evidence: [], isDelivered: true }))).toBe(false);
  });
});

it("a run that asks for evidence has a record that earlier versions leave alone, also with a program of more kinds", async () => {
  const machine = opened({ model: scripted([[]]), evaluator: checkingEvaluator() });
  const run = await machine.submit(await submission(1));
  expect(run.format).toBe(4);
  const tree = [{ do: "It" }] as unknown as NonNullable<Draft["tree"]>;
  expect(replacedBy({ requirements: [], instructions: [], tree }, "hash", run).format).toBe(4);
  expect(replacedBy({ requirements: [], instructions: [], tree }, "hash", { ...run, format: 2 }).format).toBe(3);
  const computed = await machine.compute(run.id, new AbortController().signal);
  expect(computed.format).toBe(4);
});
