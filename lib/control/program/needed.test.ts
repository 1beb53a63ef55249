import { expect, it } from "vitest";
import type { Frames } from "../../core/program/language/frames.ts";
import { type Instruction, instructionOf } from "../../core/program/program.ts";
import { neededBy } from "./needed.ts";

const called = (at: number): Frames => [{ at, round: 1, call: "module" }, { at: 0 }];

const stored = ([number, frames]: readonly [number, Frames]): Instruction => ({
  ...instructionOf({ title: "Parse", text: `Parse ${number}.`, requirements: [], id: "parse" }, number),
  frames: [...frames],
});

it("finds the ids of a called program in the same call alone", async () => {
  const steps = (
    [
      [1, [{ at: 0 }]],
      [2, called(1)],
      [3, called(2)],
    ] as const
  ).map(stored);
  const registry = {
    instruction: async (_: string, number: number) => steps[number - 1],
    instructionsFrom: async (_: string, { first, limit }: { first: number; limit: number }) =>
      steps.slice(first - 1, first - 1 + limit),
  };
  const numbersFor = async (frames: Frames) =>
    (await neededBy(registry, "run", { number: 4, needs: ["parse"], frames: [...frames] })).map(({ number }) => number);
  expect(await numbersFor([{ at: 3 }])).toEqual([1]);
  expect(await numbersFor([{ at: 1, round: 1, call: "module" }, { at: 1 }])).toEqual([2]);
  expect(await numbersFor([{ at: 2, round: 1, call: "module" }, { at: 1 }])).toEqual([3]);
  expect(await numbersFor([{ at: 3, round: 1, call: "module" }, { at: 1 }])).toEqual([]);
});
