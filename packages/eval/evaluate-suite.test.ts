import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EvaluationRequest, Evaluator } from "../../lib/core/ports.ts";
import { notRun } from "../../lib/core/verdict/verdict.ts";
import { type Attempt, evaluateSuite, type SolvedCase, type SuiteEvaluation } from "./evaluate-suite.ts";
import { openResultLog } from "./result-log.ts";
import type { EvalCase, Suite } from "./suite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-eval-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const suite: Suite = {
  ...{ name: "made", about: "made for this test", source: "this test", domain: "custom" },
  checker: { program: "node", script: "http.mjs" },
  load: async () => [],
};
const caseOf = (id: string): EvalCase => ({
  ...{ id, task: "", spec: {}, seconds: 1, oracle: { a: id }, stub: {}, forgeries: [], hanging: {} },
});
const cases = ["one", "two", "three"].map(caseOf);
const evaluation = { v: 1, type: "evaluation", suite: "made", suiteHash: "0", model: "m", version: "1" } as const;

/** Answers as a checker that passes all. */
const passing: Evaluator = {
  async evaluate({ command }: EvaluationRequest) {
    const { nonce, entries } = JSON.parse(command?.stdin ?? "");
    const stdout = `${nonce} ${JSON.stringify(entries.map(() => [1, 1, []]))}\n`;
    return { ...notRun("turned_off"), command: { status: "passed", exitCode: 0, stdout, stderr: "" } };
  },
};

const ended = { status: "completed", models: [], seconds: 1, turns: 1, inputTokens: 1, outputTokens: 1 };
const solved = (attempt: Attempt, usd: number): SolvedCase => ({
  ...{ ...ended, run: attempt.run ?? attempt.each.id, usd, files: new Map() },
});

/** Each command opens the folder again. */
async function evaluate(parts: Pick<SuiteEvaluation, "solve"> & Partial<SuiteEvaluation>): Promise<string | undefined> {
  const log = await openResultLog(folder, evaluation);
  return evaluateSuite({
    ...{ suite, cases, seeds: 1, budgetUsd: 5, log, evaluator: passing },
    ...{ spentOn: async () => 0, onResult: () => {}, ...parts },
  });
}

describe("the budget of an evaluation", () => {
  it("is the most of all continuations: an unfinished case's cost is subtracted", async () => {
    const offered: number[] = [];
    const first = await evaluate({
      solve: async (attempt) => {
        await attempt.onStarted(attempt.each.id);
        offered.push(attempt.budgetUsd);
        const usd = 2;
        return attempt.each.id === "one" ? solved(attempt, usd) : { ...solved(attempt, usd), stopped: "interrupted" };
      },
    });
    expect({ first, offered }).toEqual({ first: "interrupted", offered: [5, 3] });
    const solve = async (attempt: Attempt): Promise<SolvedCase> => {
      offered.push(attempt.budgetUsd);
      return { ...solved(attempt, 3), stopped: "over_reservation" };
    };
    expect(await evaluate({ solve, spentOn: async () => 2 })).toBe("over_reservation");
    expect(offered).toEqual([5, 3, 1]);
    expect(await evaluate({ solve, spentOn: async () => 3 })).toBe("usd");
    expect(await evaluate({ solve, spentOn: async () => 3, cases: [...cases].reverse() })).toBe("usd");
    expect(offered).toEqual([5, 3, 1]);
  });
});

describe("an evaluation whose checker cannot run", () => {
  const unable: [string, Evaluator, RegExp][] = [
    ["is not executed", { evaluate: async () => notRun("turned_off") }, /http\.mjs cannot run here/],
    [
      "breaks",
      {
        evaluate: async () => ({
          ...notRun("turned_off"),
          command: { status: "failed", exitCode: 1, stdout: "", stderr: "symbol not found: prctl\n" },
        }),
      },
      /known solution of one.*symbol not found: prctl/,
    ],
  ];
  it.each(unable)("stops before a model is asked, where it %s", async (_, evaluator, message) => {
    let runs = 0;
    const solve = async (attempt: Attempt): Promise<SolvedCase> => {
      runs += 1;
      return solved(attempt, 1);
    };
    await expect(evaluate({ evaluator, solve })).rejects.toMatchObject({
      message: expect.stringMatching(message),
      exitCode: 3,
    });
    await expect(evaluate({ evaluator, solve })).rejects.toThrow("Nothing was computed or paid.");
    expect(runs).toBe(0);
    expect(await evaluate({ solve })).toBeUndefined();
    expect(await evaluate({ evaluator, solve })).toBeUndefined();
    expect(runs).toBe(cases.length);
  });
});
