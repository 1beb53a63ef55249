import { describe, expect, it } from "vitest";
import type { EvaluationLine, ResultLine } from "./result-lines.ts";
import { markdownOf, summarize } from "./summary.ts";

const evaluation: EvaluationLine = {
  v: 1,
  type: "evaluation",
  suite: "made",
  suiteHash: "0",
  model: "m",
  version: "1",
};
const line = (id: string, seed: number, passed: number): ResultLine => ({
  ...{
    type: "result",
    case: id,
    seed,
    run: "r",
    status: "completed",
    failures: [],
    models: ["m"],
    usd: 1,
    seconds: 60,
  },
  ...{ passed, of: 2, solved: passed === 2, turns: 1, inputTokens: 1, outputTokens: 1, files: 1, lines: 1 },
});
const shown = (results: ResultLine[]) => {
  const summary = summarize({ evaluation, results, cases: 2, seeds: 2 });
  return { summary, row: markdownOf(summary, results).split("\n")[6] };
};
const seed0 = [line("one", 0, 2), line("two", 0, 0)];

describe("the summary of an evaluation", () => {
  it("has the mean and the deviation of the seeds", () => {
    const { row } = shown([...seed0, line("one", 1, 2), line("two", 1, 2)]);
    expect(row).toBe("| 4 of 4 | 2 | 75.0 % ± 35.4 | 75.0 % ± 35.4 | $4.0000 | 4.0 |");
  });

  it("leaves a seed out of them that has not all its results, but not its cost", () => {
    const { row, summary } = shown([...seed0, line("one", 1, 2)]);
    expect(row).toBe("| 3 of 4 | 1 of 2 | 50.0 % | 50.0 % | $3.0000 | 3.0 |");
    expect(summary).toMatchObject({ wholeSeeds: 1, solved: { mean: 0.5 } });
    expect(summary.solved).not.toHaveProperty("deviation");
  });

  it("has a dash where no seed is whole", () => {
    const { row, summary } = shown([line("one", 0, 2)]);
    expect(row).toBe("| 1 of 4 | 0 of 2 | – | – | $1.0000 | 1.0 |");
    expect(summary).not.toHaveProperty("solved");
  });
});
