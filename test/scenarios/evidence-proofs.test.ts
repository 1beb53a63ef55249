/** What a check must be red by: what was built, and not what was there before, the text of the code, or a lack of time. */
import { describe, expect, it } from "vitest";
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
    const shown: Call = [
      "prove",
      { requirement: "R1", argv: ["show", "src/a.js"], expect: { stdout: "return 1;\n" } },
    ];
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
