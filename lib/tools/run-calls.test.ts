import { describe, expect, test } from "vitest";
import { createMemoryBench } from "../../test/servers/memory-bench.ts";
import { NotReady } from "../core/errors.ts";
import type { ModelAnswer, ToolCall } from "../core/ports.ts";
import { CALLS_PER_TURN, correctionFor, runCalls } from "./run-calls.ts";
import { executionTools, planningTools } from "./toolbox.ts";

const call = (id: string, name: string, given: object): ToolCall => ({ id, name, arguments: JSON.stringify(given) });
const write = (id: string, path: string) => call(id, "write_files", { files: [{ path, content: "x" }] });
const complete = (id: string) => call(id, "complete_instruction", { summary: "done" });
const run = (calls: ToolCall[], bench = createMemoryBench()) => runCalls(calls, executionTools(), bench);

describe("the calls of one turn", () => {
  test("run in order, later ones on what earlier ones wrote", async () => {
    const { results, accepted } = await run([write("1", "a.txt"), call("2", "read_files", { files: ["a.txt"] })]);
    expect(results.map(({ callId, ok }) => [callId, ok])).toEqual([
      ["1", true],
      ["2", true],
    ]);
    expect(results[1]?.text).toContain("x");
    expect(accepted).toBe(false);
  });

  test("after an accepted completion are refused and do nothing", async () => {
    const bench = createMemoryBench();
    const { results, accepted } = await run([complete("1"), write("2", "late.txt"), complete("3")], bench);
    expect(accepted).toBe(true);
    expect(results.map(({ ok }) => ok)).toEqual([true, false, false]);
    expect(bench.paths()).toEqual([]);
    expect(bench.reports).toHaveLength(1);
  });

  test("go on after a completion that the gate refused", async () => {
    const bench = createMemoryBench({ files: { "broken.json": "{" } });
    const { results, accepted } = await run([complete("1"), write("2", "a.txt")], bench);
    expect(accepted).toBe(false);
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
  });

  test("with an unknown name are answered with the names there are, the nearest first", async () => {
    const { results } = await run([call("1", "read_file", {}), write("2", "a.txt")]);
    expect(results[0]?.text).toMatch(/no tool "read_file"\. The tools are read_files, /);
    expect(results[0]?.text).toContain("complete_instruction");
    expect(results[1]?.ok).toBe(true);
  });

  test("that the pack does not offer are unknown", async () => {
    const { results } = await runCalls(
      [write("1", "a.txt")],
      executionTools({ enabled: ["read_files"] }),
      createMemoryBench(),
    );
    expect(results[0]?.text).toContain("The tools are read_files, complete_instruction.");
  });

  test("beyond the limit are refused, and answered all the same", async () => {
    const bench = createMemoryBench();
    const { results } = await run(
      Array.from({ length: CALLS_PER_TURN + 3 }, (_, index) => write(`${index}`, `${index}.txt`)),
      bench,
    );
    expect(results).toHaveLength(CALLS_PER_TURN + 3);
    expect(results.filter(({ ok }) => ok)).toHaveLength(CALLS_PER_TURN);
    expect(bench.paths()).toHaveLength(CALLS_PER_TURN);
  });

  test("of one id are answered once: the first is run", async () => {
    const bench = createMemoryBench();
    const { results } = await run([write("same", "a.txt"), write("other", "b.txt"), write("same", "c.txt")], bench);
    expect(results.map(({ callId }) => callId)).toEqual(["same", "other"]);
    expect(bench.paths()).toEqual(["a.txt", "b.txt"]);
  });

  test("let a wait for the evaluator pass through, and any fault of the machine", async () => {
    for (const fault of [new NotReady("starting", 1_000), new TypeError("a bug")]) {
      const bench = createMemoryBench({ check: () => Promise.reject(fault) });
      await expect(run([write("1", "a.txt")], bench)).rejects.toBe(fault);
    }
  });
});

describe("the correction", () => {
  const answer = (parts: Partial<ModelAnswer>): ModelAnswer => ({
    text: "",
    toolCalls: [],
    finish: "stop",
    usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 512 },
    model: "m",
    requestId: "r",
    milliseconds: 1,
    ...parts,
  });
  const say = (parts: Partial<ModelAnswer>) => correctionFor(answer(parts), executionTools());

  test("is empty where there are calls, since they have answers of their own", () => {
    expect(say({ toolCalls: [complete("1")] })).toBe("");
    expect(say({ toolCalls: [complete("1")], finish: "cut" })).toBe("");
  });

  test("says of prose that only calls have an effect, and names the tools", () => {
    const said = say({ text: "I will now write the file." });
    expect(said).toContain("text without a tool call");
    expect(said).toContain("write_files, edit_file");
    expect(said).toContain("call complete_instruction");
  });

  test("points files in prose to write_files", () =>
    expect(say({ text: "```js\n1\n```" })).toContain("pass them to write_files"));

  test("says of a cut answer where it was cut and how to write less", () => {
    expect(say({ text: "Let me", finish: "cut" })).toMatch(
      /cut off at the output limit, after 512 tokens.*one file per answer/,
    );
  });

  test("says of an answer that was withheld or empty what it was", () => {
    expect(say({ finish: "filtered" })).toContain("content filter");
    expect(say({ text: " \n" })).toContain("empty");
  });

  test("asks for the program alone while planning", () => {
    const said = correctionFor(answer({ text: "First …" }), planningTools());
    expect(said).toContain("Answer with a call of write_program.");
    expect(said).not.toContain("complete_instruction");
  });
});
