/** Evidence: a run is done when each requirement is proven by a check that was red before the work and is green after it. */
import { describe, expect, it } from "vitest";
import { waive } from "../../lib/control/evidence/waive.ts";
import type { Evidence } from "../../lib/core/evidence/evidence.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { look, throughDeaths } from "../doubles/deaths.ts";
import {
  check,
  code,
  done,
  evidenceOf,
  examined,
  prove,
  proving,
  scripted,
  submission,
  write,
} from "../doubles/evidence-runs.ts";
import { alwaysGreen, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { type Call, lastText } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const toolsOf = (request: ModelRequest | undefined): string[] => (request?.tools ?? []).map(({ name }) => name);
/** Without the time at which it was gathered. */
const itemsIn = (evidence: Evidence[]) => evidence.map(({ at: _at, ...each }) => each);

describe("a run that asks for evidence", () => {
  it("is completed where each requirement is proven, before and after", async () => {
    const evaluator = checkingEvaluator();
    const model = scripted([proving("a", "R1"), proving("b", "R2")]);
    const machine = opened({ model, evaluator });
    const run = await compute(machine, await submission(2));
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, total: 2, unproven: [] } });
    expect(run.reason).toBeUndefined();
    expect(run.detail).toBe("Completed. Proven 2/2.");
    expect(await evidenceOf(machine, run.id)).toEqual([
      ["R1#1", 2, "passed"],
      ["R2#1", 2, "passed"],
    ]);
    const [first] = await machine.registry.evidence(run.id);
    expect(first).toMatchObject({
      ...{ requirement: "R1", n: 1, instruction: 1, turn: 2, check: { tests: ["test/a.test.js"] } },
      base: { status: "missing" },
      stubs: { status: "refuted", bodies: 1, files: 1 },
      work: { status: "passed" },
    });
    expect(new Set([first?.base.tree, first?.stubs?.tree, first?.work.tree]).size).toBe(3);
    expect(model.requests.map(lastText).join("\n")).toContain("R1 is proven by test/a.test.js, grade E2.");
  });

  it("of three bare words of completion ends partial, and says of each requirement that it has no evidence", async () => {
    const model = scripted([]);
    const machine = opened({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await submission(3));
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 0, total: 3 } });
    expect(run.detail).toContain("Not proven: R1 (no evidence); R2 (no evidence); R3 (no evidence).");
    const refused = model.requests
      .map(lastText)
      .filter((text) => text.includes("requirements that no evidence proves"));
    expect(refused).toHaveLength(3);
    const { instructions } = await look(machine, run.id);
    expect(instructions.map(({ unproven }) => unproven)).toEqual([["R1"], ["R2"], ["R3"]]);
  });

  it("replays: the same requests, the same files", async () => {
    const broken = [[write(code("a", "return 2;"))], [done], [write(code("a", "return 1;"))]];
    const machine = opened({ model: scripted([proving("a", "R1"), broken]), evaluator: checkingEvaluator() });
    const run = await compute(machine, await submission(2));
    const replayed = await machine.replay(run.id);
    expect(replayed.difference).toBeUndefined();
    expect(replayed).toMatchObject({ treeHash: replayed.expected, turns: run.turns });
  });
});

describe("a check that proves nothing", () => {
  const answersTo = async (turns: Call[][], evaluator = checkingEvaluator(), checks?: Call[][]) => {
    const model = examined(checks ?? [], [turns]);
    const machine = opened({ model, evaluator });
    const run = await compute(machine, await submission(1, checks ? "strict" : "own"));
    const results = model.requests.map(lastText);
    return { run, machine, text: results.join("\n----\n") };
  };

  it("passes on the files before the work too: it is refused, and nothing is stored", async () => {
    const { run, machine, text } = await answersTo([
      [write({ ...code("a", "return 1;"), ...code("b", "return 1;"), ...check("b", "return 1") })],
      [["prove", { requirement: "R1", argv: ["show", "test/b.test.js"], expect: { stdout: "// wants: return 1" } }]],
    ]);
    expect(text).toContain("passes on the files before this instruction too");
    expect(await machine.registry.evidence(run.id)).toEqual([]);
    expect(run.reason).toBe("unproven");
  });

  it("passes where every function is a stub: grade E1, with the reason, and not proven", async () => {
    const { run, machine, text } = await answersTo([
      [write({ ...code("a", "return 1;"), ...check("a", "export function") })],
      [prove("R1", "test/a.test.js")],
    ]);
    expect(text).toContain(
      "it passes where 1 functions of 1 files are stubs, so it does not look at what the code does",
    );
    expect(await evidenceOf(machine, run.id)).toEqual([["R1#1", 1, "passed"]]);
    expect(run).toMatchObject({ reason: "unproven", proven: { unproven: [{ requirement: "R1" }] } });
  });

  it("is of code that has neither stubs nor mutants, where a run is strict: E1 proves nothing then", async () => {
    const files = { "src/a.js": 'export const a = "return 1";\n', ...check("a", "return 1") };
    const turns = [[write(files)], [prove("R1", "test/a.test.js")]];
    const own = await answersTo(turns);
    expect(own.run).toMatchObject({ status: "completed", proven: { proven: 1, ungraded: ["R1"] } });
    const checks = [[write(check("a", "return 1"))], [prove("R1", "test/a.test.js")]];
    const strict = await answersTo([[write({ "src/a.js": files["src/a.js"] })], ...turns.slice(1)], undefined, checks);
    expect(await evidenceOf(strict.machine, strict.run.id)).toEqual([["R1#1", 1, "passed"]]);
    expect(strict.run.detail).toContain(
      "R1 (R1#1 grade E1: no stubs can be made of code without functions, and no mutants either: only a waiver takes it as it is)",
    );
    expect(strict.text).toContain("That does not prove it: no stubs can be made of code without functions");
  });

  it("is red now, is of no file, of no requirement, or asks for both", async () => {
    const { text } = await answersTo([
      [write({ ...code("a", "return 1;"), ...check("a", "return 2") })],
      [prove("R1", "test/a.test.js")],
      [prove("R1", "test/c.test.js")],
      [prove("R9", "test/a.test.js")],
      [["prove", { requirement: "R1", tests: ["test/a.test.js"], argv: ["show"] }]],
      [write(check("a", "return 1"))],
    ]);
    expect(text).toContain("the check fails on the current files: ");
    expect(text).toContain("There is no file test/c.test.js.");
    expect(text).toContain("There is no requirement R9. There are: R1.");
    expect(text).toContain("one of them and not both");
  });

  it("could not be executed: a broken sandbox is no grade", async () => {
    const isBroken = ({ tests }: { tests?: { paths?: string[] } }) => tests?.paths !== undefined;
    const { run, machine, text } = await answersTo(proving("a", "R1"), checkingEvaluator({ isBroken }));
    expect(text).toContain("could not be executed: the sandbox broke. That is no evidence.");
    expect(await machine.registry.evidence(run.id)).toEqual([]);
    expect(run.reason).toBe("unproven");
  });
});

describe("a requirement that was proven", () => {
  it("blocks the instruction that breaks it, three later, until it is green again", async () => {
    const breaking: Call[][] = [
      // Its own test goes along, so that nothing but the evidence is red.
      [write({ ...code("a", "return 2;"), ...code("d", "return 1;"), ...check("d", "return 1") })],
      [
        ["amend_test", { path: "test/a.test.js", reason: "it is in the way" }],
        ["delete_files", { paths: ["test/a.test.js"] }],
      ],
      [prove("R4", "test/d.test.js")],
      [done],
      [write({ ...code("a", "return 1;"), ...check("a", "return 1") })],
    ];
    const model = scripted([proving("a", "R1"), proving("b", "R2"), proving("c", "R3"), breaking]);
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const run = await compute(machine, await submission(4));
    const blocked = model.requests.map(lastText).find((text) => text.includes("were proven are broken"));
    expect(blocked).toContain("- R1, by test/a.test.js (R1#1, proven in instruction 1)");
    expect(run).toMatchObject({ status: "completed", proven: { proven: 4, total: 4 } });
    const { events } = await look(machine, run.id);
    expect(events.some((event) => event.type === "verdict" && event.refusal?.[0]?.startsWith("evidence: R1#1"))).toBe(
      true,
    );
  });

  it("is proven by a later check in place of one that the task has made wrong", async () => {
    const changing: Call[][] = [
      [
        ["amend_test", { path: "test/a.test.js", reason: "the task changes it" }],
        write({ ...code("a", "return 2;"), ...check("a", "return 2") }),
      ],
      [write({ ...code("b", "return 1;"), ...check("b", "return 1") }), prove("R2", "test/b.test.js")],
      [prove("R1", "test/a.test.js")],
    ];
    const machine = opened({ model: scripted([proving("a", "R1"), changing]), evaluator: checkingEvaluator() });
    const run = await compute(machine, await submission(2));
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2, total: 2 } });
    expect(await evidenceOf(machine, run.id)).toEqual([
      ["R1#1", 2, undefined, 2],
      ["R1#2", 2, "passed"],
      ["R2#1", 2, "passed"],
    ]);
  });

  it("is executed on the delivered tree again: what is red there is not proven", async () => {
    const isBroken = ({ smoke, delivered }: { smoke?: true; delivered?: true }) => (smoke ?? delivered) === true;
    const machine = opened({ model: scripted([proving("a", "R1")]), evaluator: checkingEvaluator({ isBroken }) });
    const run = await compute(machine, await submission(1));
    expect(run).toMatchObject({ status: "partial", reason: "unproven" });
    expect(run.detail).toContain("Not proven: R1 (R1#1 could not be executed: the sandbox broke).");
  });

  it("survives deaths of its process at any of its calls, between two mutants too, with the same evidence each time", async () => {
    const homes: TestMachine[] = [];
    const checks = [[write(check("a", "return 1"))], [prove("R1", "test/a.test.js")]];
    const turns = [[write(code("a", "return 1;"))], checks[1] ?? [], [write(code("a", "return 1; // mended"))]];
    const mortal = {
      ...{ submission: await submission(1, "strict"), model: () => examined(checks, [turns]), homes },
      evaluator: checkingEvaluator(),
    };
    const found = async () => {
      const [machine] = homes;
      homes.length = 0;
      if (!machine) throw new Error("There is no machine.");
      return machine;
    };
    const whole = await throughDeaths(mortal, []);
    (await found()).removeHome();
    expect(whole.run).toMatchObject({ status: "completed", proven: { proven: 1, total: 1 } });
    const expected = itemsIn(whole.evidence);
    expect(expected).toMatchObject([{ grade: 4, mutants: { killed: 2, effective: 2 } }]);
    for (const call of sampledCalls(1, whole.boundaries)) {
      for (const when of ["before", "after"] as const) {
        const after = await throughDeaths(mortal, [{ call, when }]);
        (await found()).removeHome();
        expect([call, when, after.run.status, itemsIn(after.evidence)]).toEqual([call, when, "completed", expected]);
      }
    }
  });
});

describe("a requirement that is waived", () => {
  it("counts as done where the run is delivered again, and is named in its report and manifest", async () => {
    const machine = opened({ model: scripted([proving("a", "R1")]), evaluator: checkingEvaluator() });
    const run = await compute(machine, await submission(2));
    expect(run).toMatchObject({ status: "partial", proven: { proven: 1, unproven: [{ requirement: "R2" }] } });
    await expect(waive(machine.world, run.id, { requirement: "R7", reason: "why" })).rejects.toThrow(
      `Run ${run.id} has no requirement R7. It has: R1, R2.`,
    );
    await waive(machine.world, run.id, { requirement: "R2", reason: "seen with my own eyes" });
    await machine.resume(run.id, {});
    const again = await machine.compute(run.id, new AbortController().signal);
    expect(again).toMatchObject({ status: "completed", proven: { proven: 1, total: 2, unproven: [], waived: ["R2"] } });
    expect(again.detail).toBe("Completed. Proven 1/2. Waived: R2.");
    const text = async (name: string) => new TextDecoder().decode(await machine.files.get(`runs/${run.id}/${name}`));
    expect(await text("report.json")).toContain("seen with my own eyes");
    const { payload } = JSON.parse(await text("manifest.json")) as { payload: string };
    const said = atob(payload);
    expect(said).toContain('"reason":"seen with my own eyes"');
    expect(said).toContain('"check":{"tests":["test/a.test.js"]}');
  });

  it("is refused where the run asks for no evidence", async () => {
    const machine = opened({ model: scripted([]), evaluator: alwaysGreen });
    const run = await compute(machine, await submission(1, "off"));
    await expect(waive(machine.world, run.id, { requirement: "R1", reason: "why" })).rejects.toThrow(
      "asks for no evidence",
    );
  });
});

describe("a run that asks for none", () => {
  it("offers no such tool, and has neither evidence nor a count of it", async () => {
    const model = scripted([proving("a", "R1").slice(0, 1)]);
    const machine = opened({ model, evaluator: checkingEvaluator() });
    const run = await compute(machine, await submission(1, "off"));
    expect(model.requests.some((request) => toolsOf(request).includes("prove"))).toBe(false);
    expect(run).toMatchObject({ status: "completed" });
    expect(run).not.toHaveProperty("proven");
    expect(run.options).not.toHaveProperty("evidence");
  });
});
