import { describe, expect, it } from "vitest";
import type { EvaluationRequest, Evaluator } from "../../lib/core/ports.ts";
import { notRun } from "../../lib/core/verdict/verdict.ts";
import type { EvalCase } from "./suite.ts";
import { usableCases, wordsOf } from "./usable-cases.ts";

const caseOf = (id: string, programs?: string[]): EvalCase => ({
  ...{ id, task: "", spec: {}, seconds: 1, oracle: {}, stub: {}, forgeries: [], hanging: {} },
  ...(programs ? { group: { name: id.split("/")[0] ?? "", programs } } : {}),
});
const cases = [caseOf("Go/one", ["go"]), caseOf("Go/two", ["go"]), caseOf("Java/one", ["javac", "java"])];

/** A sandbox without some programs. */
const without = (missing: string[], asked: string[][] = []): Evaluator => ({
  async evaluate({ command }: EvaluationRequest) {
    const [, , , ...programs] = command?.argv ?? [];
    asked.push(programs);
    const stdout = `${JSON.stringify(programs.filter((each) => missing.includes(each)))}\n`;
    return { ...notRun("turned_off"), command: { status: "passed", exitCode: 0, stdout, stderr: "" } };
  },
});

describe("the cases that can be checked here", () => {
  it("are those whose programs are in the sandbox; the others are named", async () => {
    const usable = await usableCases(cases, without(["go", "java"]));
    expect(usable.cases).toEqual([]);
    expect(usable.left.map(wordsOf)).toEqual([
      "Go is left out (2 cases): there is no go here",
      "Java is left out (1 case): there is no java here",
    ]);
    const some = await usableCases(cases, without(["go"]));
    expect(some.cases.map(({ id }) => id)).toEqual(["Java/one"]);
  });

  it("are none that need a program, where nothing is executed", async () => {
    const { cases: found } = await usableCases([...cases, caseOf("plain")], {
      evaluate: async () => notRun("turned_off"),
    });
    expect(found.map(({ id }) => id)).toEqual(["plain"]);
  });

  it("are all, and nothing is executed, where none needs a program", async () => {
    const asked: string[][] = [];
    expect((await usableCases([caseOf("plain")], without([], asked))).cases).toHaveLength(1);
    expect(asked).toEqual([]);
  });
});
