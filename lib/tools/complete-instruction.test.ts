import { describe, expect, test } from "vitest";
import { createMemoryBench } from "../../test/servers/memory-bench.ts";
import { completeInstruction } from "./complete-instruction.ts";

describe("complete_instruction", () => {
  test("hands summary and advice to the gate, and is ok when it accepts", async () => {
    const bench = createMemoryBench();
    const result = await completeInstruction.call("1", '{"summary":"built","next":"test"}', bench);
    expect(result).toMatchObject({ ok: true, text: "Accepted.", note: "accepted", about: { kind: "verdict" } });
    expect(bench.reports).toEqual([{ summary: "built", next: "test" }]);
  });

  test("is not ok when the gate does not accept", async () => {
    const bench = createMemoryBench({ files: { "a.json": "{" } });
    expect(await completeInstruction.call("1", '{"summary":"built","next":null}', bench)).toMatchObject({ ok: false });
    expect(bench.reports).toEqual([{ summary: "built" }]);
  });

  test("takes a text alone for the summary, and wants one", async () => {
    const bench = createMemoryBench();
    await completeInstruction.call("1", '"built"', bench);
    expect(bench.reports).toEqual([{ summary: "built" }]);
    expect((await completeInstruction.call("1", "", bench)).text).toContain("summary is missing");
    expect(bench.reports).toHaveLength(1);
  });
});
