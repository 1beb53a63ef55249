import { describe, expect, test } from "vitest";
import { createMemoryBench, type MemoryBench } from "../../test/servers/memory-bench.ts";
import { writeProgram } from "./write-program.ts";

const write = (given: unknown, bench: MemoryBench) => writeProgram.call("1", JSON.stringify(given), bench);
const one = (parts: object = {}) => ({ title: "Build", text: "Build it.", requirements: ["R1"], ...parts });

describe("write_program", () => {
  test("hands the program to the run, each id once", async () => {
    const bench = createMemoryBench();
    const result = await write(
      { instructions: [one({ requirements: ["R1", "R2.3", "R1"] })], requirements: [{ id: "R1", text: "a" }] },
      bench,
    );
    expect(result).toMatchObject({ ok: true, text: "The program has 1 instruction.", note: "1 instruction" });
    expect(bench.programs).toEqual([
      { instructions: [one({ requirements: ["R1", "R2.3"] })], requirements: [{ id: "R1", text: "a" }] },
    ]);
  });

  test("takes how many words an instruction writes, where it says so", async () => {
    const bench = createMemoryBench();
    const words = { least: 1_000, most: null };
    const result = await write({ instructions: [one({ words }), one({ words: {} }), one({ words: null })] }, bench);
    expect(result).toMatchObject({ ok: true });
    expect(bench.programs[0]?.instructions).toEqual([one({ words: { least: 1_000 } }), one(), one()]);
    const crossed = await write({ instructions: [one({ words: { least: 2, most: 1 } })] }, bench);
    expect(crossed).toMatchObject({
      ok: false,
      text: expect.stringContaining("more at least than at most: instruction 1"),
    });
  });

  test("takes plain texts for instructions and requirements, and fills in titles", async () => {
    const bench = createMemoryBench();
    await write(
      {
        instructions: ["Lay the ground.\nAll of it.", { text: "Finish." }],
        requirements: ["R1: It adds", "R1.2 It divides"],
      },
      bench,
    );
    expect(bench.programs).toEqual([
      {
        instructions: [
          { title: "Lay the ground", text: "Lay the ground.\nAll of it.", requirements: [] },
          { title: "Finish", text: "Finish.", requirements: [] },
        ],
        requirements: [
          { id: "R1", text: "It adds" },
          { id: "R1.2", text: "It divides" },
        ],
      },
    ]);
  });

  test.each([
    ["no instruction", { instructions: [] }, "instructions must not be empty"],
    ["an empty text", { instructions: [one(), one({ text: " " })] }, "empty: instruction 2"],
    ["an empty title", { instructions: [one({ title: "\n" })] }, "empty: instruction 1"],
    [
      "an id of another form",
      { instructions: [one({ requirements: ["REQ-1", "r2"] })] },
      'no requirement ids: "REQ-1", "r2"',
    ],
    ["a requirement without an id", { instructions: [one()], requirements: ["It adds"] }, 'no requirement ids: ""'],
    [
      "two requirements of one id",
      { instructions: [one()], requirements: ["R1: a", "R1: b"] },
      "two requirements of one id: R1",
    ],
    [
      "an instruction that is too long",
      { instructions: [one({ text: "x".repeat(110_000) })] },
      "longer: instruction 1",
    ],
  ])("refuses %s", async (_, given, words) => {
    const bench = createMemoryBench();
    const result = await write(given, bench);
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining(words) });
    expect(bench.programs).toEqual([]);
  });

  test("passes on what the run has against it, such as ids it does not know", async () => {
    const bench = createMemoryBench({ takeProgram: async () => "There is no requirement R9." });
    expect(await write({ instructions: [one({ requirements: ["R9"] })] }, bench)).toMatchObject({
      ok: false,
      text: "The program was not taken.\nThere is no requirement R9.",
    });
  });
});
