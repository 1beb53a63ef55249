/** What a check must be red by: what was built, and not what was there before, the text of the code, or a lack of time. */
import { describe, expect, it } from "vitest";
import { waive } from "../../lib/control/evidence/waive.ts";
import type { Evidence } from "../../lib/core/evidence/evidence.ts";
import { standingOf } from "../../lib/core/evidence/latest.ts";
import { PROOFS_PER_TURN } from "../../lib/core/limits.ts";
import type { Evaluator } from "../../lib/core/ports.ts";
import { NO_TIME_LEFT } from "../../lib/core/verdict/gate.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { check, code, evidenceOf, prove, proving, scripted, submission, write } from "../doubles/evidence-runs.ts";
import { compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Call, lastText } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

async function computed(turns: Call[][][], evaluator: Evaluator = checkingEvaluator()) {
  const model = scripted(turns);
  const machine = opened({ model, evaluator });
  const run = await compute(machine, await submission(turns.length));
  return { run, evidence: await evidenceOf(machine, run.id), said: model.requests.map(lastText).join("\n----\n") };
}

describe("a check that stubs make red", () => {
  it("proves nothing where only a test is red that passed before the instruction too", async () => {
    const beside: Call[] = [
      write({ ...code("b", "return 1;"), ...check("b", "export function") }),
      prove("R2", "test/a.test.js", "test/b.test.js"),
    ];
    const { run, evidence, said } = await computed([proving("a", "R1"), [beside]]);
    expect(said).toContain("test/a.test.js > a, which passed before this instruction too");
    expect(evidence).toEqual([
      ["R1#1", 2, "passed"],
      ["R2#1", 1, "passed"],
    ]);
    expect(run).toMatchObject({ reason: "unproven", proven: { proven: 1 } });
  });

  it("is refused where a comment in the code makes it red too", async () => {
    const text = "export function a() { return 1; }";
    const files = write({ "src/a.js": `${text}\n`, "test/a.test.js": "// ends: return 1; }\n" });
    const { run, evidence, said } = await computed([[[files, prove("R1", "test/a.test.js")]]]);
    expect(said).toContain("it looks at the text of the code. Check what the code does.");
    expect(evidence).toEqual([]);
    expect(run.reason).toBe("unproven");
  });

  it("proves nothing where its command prints the code", async () => {
    const shown: Call = ["prove", { requirement: "R1", argv: ["show", "src/a.js"], expect: { stdout: "return 1;\n" } }];
    const { run, evidence, said } = await computed([
      [[write({ "src/a.js": "return 1;\n", ...code("b", "return 2;") }), shown]],
    ]);
    expect(said).toContain("so it does not look at what the code does");
    expect(evidence).toEqual([["R1#1", 1, "passed"]]);
    expect(run.reason).toBe("unproven");
  });

  it("is not stored where the time for that was missing", async () => {
    const checking = checkingEvaluator();
    let asked = 0;
    const evaluator: Evaluator = {
      async evaluate(request, signal) {
        const verdict = await checking.evaluate(request, signal);
        if (!request.tests?.paths || request.delivered) return verdict;
        asked += 1;
        if (asked !== 3) return verdict;
        const tests = {
          ...verdict.tests,
          status: "timed_out" as const,
          reason: NO_TIME_LEFT,
          detail: "no time",
          cases: [],
        };
        return { ...verdict, tests };
      },
    };
    const again = [...proving("a", "R1"), [prove("R1", "test/a.test.js")]];
    const { run, evidence, said } = await computed([again], evaluator);
    expect(said).toContain("could not be executed with functions replaced by stubs: no time. That is no evidence.");
    expect(evidence).toEqual([["R1#1", 2, "passed"]]);
    expect(run.status).toBe("completed");
  });
});

describe("calls of prove", () => {
  it("are refused in a turn that has had enough of them", async () => {
    const many = Array.from({ length: PROOFS_PER_TURN + 2 }, () => prove("R1", "test/a.test.js"));
    const [written = []] = proving("a", "R1");
    const { run, evidence, said } = await computed([[written, many]]);
    expect(said).toContain("one turn has at most 10 calls of prove");
    expect(evidence).toHaveLength(PROOFS_PER_TURN);
    expect(run.status).toBe("completed");
  });
});

describe("a requirement that is waived while the run is computed", () => {
  it("holds up no gate from then on, and counts at delivery", async () => {
    const checking = checkingEvaluator();
    const breaking: Call[] = [
      ["amend_test", { path: "test/a.test.js", reason: "it goes" }],
      ["delete_files", { paths: ["test/a.test.js"] }],
      write({ ...code("b", "return 1;"), ...check("b", "return 1") }),
      prove("R2", "test/b.test.js"),
      ["complete_instruction", { summary: "done" }],
    ];
    const isOfB = (paths: string[] | undefined): boolean => paths?.includes("test/b.test.js") === true;
    let isWaived = false;
    const evaluator: Evaluator = {
      async evaluate(request, signal) {
        if (isOfB(request.tests?.paths) && !isWaived) {
          isWaived = true;
          await waive(machine.world, submitted.id, { requirement: "R1", reason: "it goes" });
        }
        return checking.evaluate(request, signal);
      },
    };
    const model = scripted([proving("a", "R1"), [breaking]]);
    const machine = opened({ model, evaluator });
    const submitted = await machine.submit(await submission(2));
    const run = await machine.compute(submitted.id, new AbortController().signal);
    expect(model.requests.map(lastText).join("\n")).not.toContain("were proven are broken");
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1, waived: ["R1"] } });
  });
});

it("evidence counts again where what took its place is gone with its instruction", () => {
  const first = { requirement: "R1", n: 1, replacedBy: 2 } as Evidence;
  const second = { requirement: "R1", n: 2 } as Evidence;
  expect(standingOf([first, second])).toEqual([second]);
  expect(standingOf([first, { ...second, requirement: "R2" }])).toHaveLength(2);
});
