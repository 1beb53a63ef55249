import { expect, it } from "vitest";
import type { Frames } from "../../core/program/language/frames.ts";
import { readProgramData } from "../../core/program/language/read-program.ts";
import { type Instruction, instructionOf } from "../../core/program/program.ts";
import { neededBy } from "./needed.ts";

function programOf(instructions: unknown[]) {
  const read = readProgramData({ data: { instructions }, placeOf: () => undefined });
  if ("findings" in read) throw new Error(read.findings[0]?.message);
  return read.program;
}

/** `2[1].3`: as places are shown; `2(m).1` is in a call. */
const framesOf = (place: string): Frames =>
  place.split(".").map((part) => {
    const [, at = "1", round, call] = /^(\d+)(?:\[(\d+)\])?(?:\((\w+)\))?$/.exec(part) ?? [];
    return { at: Number(at) - 1, ...(round ? { round: Number(round) } : {}), ...(call ? { round: 1, call } : {}) };
  });

const stepsAt = (places: (string | undefined)[]): Instruction[] =>
  places.map((place, index) => ({
    ...instructionOf({ title: "Step", text: "Do it.", requirements: [] }, index + 1),
    ...(place === undefined ? {} : { frames: [...framesOf(place)] }),
  }));

/** The numbers of those needed by a step that follows these. */
async function needed(instructions: unknown[], places: (string | undefined)[], next: { at: string; needs?: string[] }) {
  const steps = stepsAt(places);
  let reads = 0;
  const registry = {
    instruction: async (_: string, number: number) => steps[number - 1],
    instructionsFrom: async (_: string, { first, limit }: { first: number; limit: number }) => {
      reads += 1;
      return steps.slice(first - 1, first - 1 + limit);
    },
  };
  const { at, ...more } = next;
  const step = { number: steps.length + 1, frames: [...framesOf(at)], ...more };
  const found = await neededBy(registry, "run", { step, program: programOf(instructions) });
  return { numbers: found.map(({ number }) => number), reads };
}

const loop = (id: string, ...body: unknown[]) => ({
  ...{ kind: "for_each", id, items: ["a", "b"], as: "x", atMost: 2, body },
});
const group = (id: string, ...body: unknown[]) => ({ kind: "group", id, body });
const [exists, text] = [{ file: "a", exists: true }, "Do it."];

it("finds the last step of a block, whatever its kind, and of a question", async () => {
  const program = [
    group("both", text, text),
    loop("each", group("inner", text)),
    { kind: "if", id: "either", condition: exists, [`${"th"}en`]: [text], else: [text, text] },
    { kind: "repeat", id: "rounds", until: exists, atMost: 3, body: [text] },
    { kind: "ask", id: "asked", question: "What?", saveTo: "a.txt" },
    { kind: "assert", id: "checked", check: exists, otherwise: "repair" },
    text,
  ];
  const places = ["1[1].1", "1[1].2", "2[1].1[1].1", "2[2].1[1].1", "3[2].1", "3[2].2", "4[1].1", "4[2].1", "5", "6"];
  const ids = ["both", "each", "inner", "either", "rounds", "asked", "checked"];
  expect((await needed(program, places, { at: "7", needs: ids })).numbers).toEqual([2, 4, 6, 8, 9, 10]);
  expect((await needed(program, places, { at: "7", needs: ["both", "asked"] })).numbers).toEqual([2, 9]);
  expect((await needed(program, places, { at: "7" })).numbers).toEqual([10]);
});

it("finds ids in the same call, and in the same round of a loop around both", async () => {
  const parse = { id: "parse", text };
  const called = { kind: "call", program: "m.md", body: [parse, text] };
  const inCalls = [parse, called, called, text];
  const places = ["1", "2(m).1", "2(m).2", "3(m).1"];
  const from = async (at: string) => (await needed(inCalls, places, { at, needs: ["parse"] })).numbers;
  expect([await from("3(m).2"), await from("4")]).toEqual([[4], [1]]);
  const sometimes = { kind: "if", condition: exists, [`${"th"}en`]: [{ id: "some", text }] };
  const rounds = [loop("each", sometimes, text), text];
  const some = async (at: string) => (await needed(rounds, ["1[1].1[1].1", "1[1].2"], { at, needs: ["some"] })).numbers;
  expect([await some("1[2].2"), await some("2")]).toEqual([[], [1]]);
});

it("gives what a block needs to its first step alone, from where the block is", async () => {
  const program = [
    { id: "design", text },
    text,
    { ...group("work", text, text), needs: ["design"] },
    { kind: "call", program: "m.md", needs: ["design"], body: [{ id: "design", text }] },
  ];
  expect((await needed(program, ["1", "2"], { at: "3[1].1" })).numbers).toEqual([1]);
  expect((await needed(program, ["1", "2", "3[1].1"], { at: "3[1].2" })).numbers).toEqual([3]);
  expect((await needed(program, ["1", "2", "3[1].1", "3[1].2"], { at: "4(m).1" })).numbers).toEqual([1]);
});

it("reads a few pages of a long program, also where nothing has the id", async () => {
  const program = [
    { id: "first", text },
    { kind: "if", condition: exists, [`${"th"}en`]: [{ id: "never", text }] },
    { kind: "repeat", until: exists, atMost: 9_000, body: [text] },
    text,
  ];
  const places = ["1", ...Array.from({ length: 8_000 }, (_, round) => `3[${round + 1}].1`)];
  const { numbers, reads } = await needed(program, places, { at: "4", needs: ["first", "never"] });
  expect(numbers).toEqual([1]);
  expect(reads).toBeLessThan(15);
});

it("takes the parts of a split step of earlier versions, which have no place, for the step", async () => {
  const program = [{ id: "a", text }, { id: "b", text }, text];
  expect((await needed(program, ["1", "2", undefined], { at: "3", needs: ["a", "b"] })).numbers).toEqual([1, 3]);
});
