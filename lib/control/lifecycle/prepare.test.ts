import { describe, expect, it } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import type { Draft } from "../../core/program/program.ts";
import { builtInPacks } from "../../files/prompt-folder.ts";
import { budgetFrom, prepareSubmission, readTask } from "./prepare.ts";

const program = (requirements: string[], own: Draft["requirements"] = []): Draft => ({
  instructions: [{ title: "Do", text: "Do it.", requirements }],
  requirements: own,
});

describe("a task", () => {
  it("brings the requirements that it lists, and a program without any serves those", () => {
    const requirements = [
      { id: "R1", text: "One." },
      { id: "R2", text: "Two." },
    ];
    expect(readTask("1. One.\n2. Two.")).toEqual({ task: "1. One.\n2. Two.", requirements, program: undefined });
    expect(readTask("1. One.\n2. Two.", program(["R2"])).program?.requirements).toEqual(requirements);
  });

  it("gives way to the requirements that a program has of its own", () => {
    const own = [{ id: "R7", text: "Seven." }];
    expect(readTask("1. One.\n2. Two.", program(["R7"], own)).requirements).toEqual(own);
    expect(() => readTask("1. One.\n2. Two.", program(["R2"], own))).toThrow(/R2 \("Do"\); they are R7/);
  });

  it("is refused above a megabyte, and above half the window of its model", async () => {
    expect(() => readTask("x".repeat(1_048_577))).toThrow(/1048577 bytes; at most 1048576/);
    const { custom } = await builtInPacks();
    const { profile, options } = aRun();
    const prepare = (words: number) =>
      prepareSubmission({
        read: readTask("word ".repeat(words)),
        name: "x",
        pack: custom,
        profile: { ...profile, contextWindow: 8_192 },
        budget: {},
        options,
      });
    expect(prepare(2_000).task).toHaveLength(10_000);
    expect(() => prepare(3_000)).toThrow(/about 5000 tokens, more than half of the 8192/);
  });
});

describe("a budget", () => {
  const { profile } = aRun();
  const unpriced = { ...profile, price: undefined };

  it("is five dollars unless somebody says otherwise", () => {
    expect(budgetFrom({}, { profile: profile })).toEqual({ usd: 5 });
    expect(budgetFrom({ budget: 1.5, maxTurns: 7, maxTokens: 9, maxMinutes: 2 }, { profile: profile })).toEqual({
      usd: 1.5,
      turns: 7,
      tokens: 9,
      minutes: 2,
    });
  });

  it("promises no dollars where the price is not known", () => {
    const { price: _price, ...without } = unpriced;
    expect(budgetFrom({ maxTokens: 9 }, { profile: without })).toEqual({ tokens: 9 });
    expect(() => budgetFrom({ budget: 1 }, { profile: without })).toThrow(/could not be kept/);
    expect(() => budgetFrom({ dailyUsd: 1 }, { profile: without })).toThrow(/daily ceiling .* could not be kept/);
    expect(budgetFrom({ dailyUsd: 1 }, { profile: profile })).toEqual({ usd: 5 });
  });
});
