/** Whole runs on the true machine: engine, SQLite, disk; only the model is scripted. */

import { afterEach, describe, expect, it } from "vitest";
import { readPack } from "../../lib/control/files/packs.ts";
import { ModelError } from "../../lib/core/errors.ts";
import type { AnswerUnderway, Model } from "../../lib/core/ports.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { alwaysGreen, aMachine, aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { lastText, placeOf, programOf, type Said, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

let machine: TestMachine;
afterEach(() => {
  machine.close();
  machine.removeHome();
});

async function packOf(runId: string): Promise<Record<string, string>> {
  const run = await machine.registry.run(runId);
  if (!run || run.packed < 0) return {};
  const bytes = await readPack(machine.files, runId, run.packed);
  return Object.fromEntries([...unpackTree(bytes)].map(([path, content]) => [path, Buffer.from(content).toString()]));
}
const eventsOf = async (runId: string) => machine.registry.events(runId, { after: 0, limit: 10_000 });
const oneFile = (instruction: number) => [{ path: `f${instruction}.txt`, content: `text ${instruction}\n` }];

describe("a run", () => {
  it("plans, reflects, executes each instruction in a fresh conversation, packs each and completes", async () => {
    const model = scriptedModel(writerOf(3, oneFile));
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({}));
    expect(run).toMatchObject({ status: "completed", pc: 4, packed: 3, files: 3, turns: 8, calls: 8, microUsd: 0 });
    expect(await packOf(run.id)).toEqual({ "f1.txt": "text 1\n", "f2.txt": "text 2\n", "f3.txt": "text 3\n" });
    const opened = model.requests.filter((request) => placeOf(request).answers === 0);
    expect(opened.map((request) => request.messages.length)).toEqual([2, 2, 2, 2]);
    const types = (await eventsOf(run.id)).map((event) => event.type);
    expect(types.filter((type) => type === "instruction_accepted")).toHaveLength(3);
    expect(types.at(-1)).toBe("ended");
  });

  it("shows how much of an answer has arrived while a model writes it, and stores nothing of that", async () => {
    const writer = scriptedModel(writerOf(1, oneFile));
    const seen: (AnswerUnderway | undefined)[] = [];
    const model: Model = {
      async ask(request, signal, onProgress) {
        onProgress?.(1_234);
        const [run] = (await machine.registry.runs({ owner: "local", limit: 1 })).runs;
        seen.push(machine.answerUnderway(run?.id ?? ""));
        return writer.ask(request, signal);
      },
    };
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(seen).toEqual([
      { instruction: 0, turn: 1, characters: 1_234 },
      { instruction: 1, turn: 1, characters: 1_234 },
      { instruction: 1, turn: 2, characters: 1_234 },
    ]);
    expect(machine.answerUnderway(run.id)).toBeUndefined();
    expect(JSON.stringify(await eventsOf(run.id))).not.toContain("1234");
  });

  it("hands the summary of an instruction and its advice over to the next one only", async () => {
    const model = scriptedModel((request) => {
      const { planning, instruction } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(3) }]] };
      return {
        calls: [
          ["write_files", { files: oneFile(instruction) }],
          ["complete_instruction", { summary: `SUMMARY-${instruction}`, next: `ADVICE-${instruction}` }],
        ],
      };
    });
    machine = aMachine({ model });
    await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    const texts = model.requests.map((request) => JSON.stringify(request.messages));
    expect(texts[2]).toContain("SUMMARY-1");
    expect(texts[2]).toContain("ADVICE-1");
    expect(texts[3]).toContain("SUMMARY-2");
    expect(texts[3]).not.toContain("SUMMARY-1");
  });

  it("executes a program that the user gave as it is, without asking the model for one", async () => {
    const model = scriptedModel(writerOf(2, oneFile));
    machine = aMachine({ model });
    const program = { instructions: programOf(2), requirements: [] };
    const run = await compute(machine, await aSubmission({ submission: { program } }));
    expect(run.status).toBe("completed");
    expect(model.requests.every((request) => !placeOf(request).planning)).toBe(true);
  });

  it("stores each reflection's better program; the last valid one counts", async () => {
    const model = scriptedModel((request, call) => {
      if (!placeOf(request).planning) return { calls: [["complete_instruction", { summary: "x" }]] };
      if (call === 2) return { calls: [["write_program", { instructions: [] }]] };
      return { calls: [["write_program", { instructions: programOf(call) }]] };
    });
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({ options: { reflect: 1 } }));
    expect(run).toMatchObject({ status: "completed", instructions: 3 });
  });

  it("tells the model which requirement no instruction serves, and tells the watcher what stays uncovered", async () => {
    const requirements = [
      { id: "R1", text: "the first" },
      { id: "R2", text: "the second" },
    ];
    const served = programOf(1).map((instruction) => ({ ...instruction, requirements: ["R1"] }));
    const model = scriptedModel((request) =>
      placeOf(request).planning
        ? { calls: [["write_program", { instructions: served }]] }
        : { calls: [["complete_instruction", { summary: "x" }]] },
    );
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({ submission: { requirements } }));
    expect(lastText(model.requests[1] ?? { messages: [], tools: [], maxOutputTokens: 0, timeoutMs: 0 })).toContain(
      "R2: the second",
    );
    const program = (await eventsOf(run.id)).find((event) => event.type === "program");
    expect(program).toMatchObject({ uncovered: ["R2"] });
  });

  it("fails with a plain reason when no program can be had", async () => {
    machine = aMachine({ model: scriptedModel((_request, call) => ({ text: `I would rather talk (${call}).` })) });
    const run = await compute(machine, await aSubmission({}));
    expect(run).toMatchObject({ status: "failed", reason: "planning" });
    expect(run.detail).toContain("--program");
  });
});

describe("what models do wrong", () => {
  it("is answered with what was wrong, and the run completes all the same", async () => {
    const wrong = [
      { text: "Sure! Here is what I will do." },
      { calls: [["no_such_tool", {}]] as [string, object][] },
      { calls: [["write_files", '{"files": [{"path": "a.txt", "cont']] as [string, string][] },
      { calls: [["write_files", { files: [{ path: "../../x", content: "x" }] }]] as [string, object][] },
      { calls: [["write_files", { files: [{ path: "/etc/x", content: "x" }] }]] as [string, object][] },
      {
        calls: [["write_files", { files: [{ path: "cut.txt", content: "half" }] }]] as [string, object][],
        finish: "cut" as const,
      },
      { text: "", finish: "cut" as const },
    ];
    const model = scriptedModel((request) => {
      const { planning, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(1) }]] };
      return wrong[answers] ?? { calls: [["complete_instruction", { summary: "done" }]] };
    });
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run).toMatchObject({ status: "completed", files: 0, turns: wrong.length + 3 });
    expect(run.unchecked).toEqual(["the result: no file was written"]);
    expect(await packOf(run.id)).toEqual({});
    const said = model.requests.slice(2).map(lastText);
    expect(said[1]).toMatch(/no_such_tool/);
    expect(said[3]).toMatch(/\.\./);
    expect(said[5]).toMatch(/cut off/);
  });

  it("stops an instruction that goes in circles, after heat and a fresh conversation, and keeps what was accepted", async () => {
    const model = scriptedModel((request) => {
      const { planning, instruction, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(2) }]] };
      if (instruction === 2) return { calls: [["list_files", {}]] };
      return answers === 0
        ? { calls: [["write_files", { files: oneFile(1) }]] }
        : { calls: [["complete_instruction", { summary: "x" }]] };
    });
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run).toMatchObject({ status: "partial", reason: "trapped", packed: 1 });
    expect(await packOf(run.id)).toEqual({ "f1.txt": "text 1\n" });
    const circling = model.requests.filter((request) => placeOf(request).instruction === 2);
    expect(circling).toHaveLength(9);
    expect(circling[2]?.temperature).toBeLessThan(circling[3]?.temperature ?? 0);
    expect(circling[6]?.messages).toHaveLength(2);
    expect(JSON.stringify(circling[6]?.messages)).toContain("going in circles");
  });
});

describe("the gate", () => {
  it("sends failures back as text until they are repaired, and never takes a hanging suite for a pass", async () => {
    const verdicts = [
      aVerdict({}), // of the file that is written
      aVerdict({ syntax: { status: "failed", errors: [{ path: "f1.txt", line: 3, message: "unexpected end" }] } }),
      // It is executed again, with twice the time.
      ...[1, 2].map(() => aVerdict({ tests: { status: "timed_out", passed: 0, output: "hangs" } })),
      aVerdict({ tests: { status: "crashed", passed: 0, output: "core dumped" } }),
      aVerdict({}),
    ];
    let evaluations = 0;
    const model = scriptedModel((request) => {
      if (placeOf(request).planning) return { calls: [["write_program", { instructions: programOf(1) }]] };
      const { answers } = placeOf(request);
      const writing: Said["calls"] = answers === 0 ? [["write_files", { files: oneFile(1) }]] : [];
      return { calls: [...writing, ["complete_instruction", { summary: `try ${answers}` }]] };
    });
    machine = aMachine({ model, evaluator: { evaluate: async () => verdicts[evaluations++] ?? aVerdict({}) } });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run).toMatchObject({ status: "completed", unchecked: [], turns: 5 });
    const read = model.requests.slice(2).map(lastText);
    expect(read[0]).toContain("unexpected end");
    expect(read[1]).toMatch(/not accepted/);
    expect(read[2]).toMatch(/not accepted/);
  });

  it("ends unchecked, neither stuck nor passed, where the toolchain is absent", async () => {
    const absent = aVerdict({ tests: { status: "not_run", reason: "no_toolchain", passed: 0 } });
    machine = aMachine({ model: scriptedModel(writerOf(2, oneFile)), evaluator: { evaluate: async () => absent } });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run).toMatchObject({ status: "completed", reason: "unchecked" });
    expect(run.unchecked.join()).toContain("no_toolchain");
  });

  it("lets a program complete whose first instructions write no tests, and is checked by what is so at the end", async () => {
    let instruction = 0;
    const evaluator = {
      evaluate: async () => aVerdict(instruction < 3 ? { tests: { status: "not_found" as const, passed: 0 } } : {}),
    };
    const model = scriptedModel((request) => {
      instruction = placeOf(request).instruction;
      return writerOf(3, oneFile)(request);
    });
    machine = aMachine({ model, evaluator });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run).toMatchObject({ status: "completed", unchecked: [] });
    expect(run.reason).toBeUndefined();
  });

  it("does not accept a tree without tests once there were some", async () => {
    let asked = 0;
    const evaluator = {
      evaluate: async () => aVerdict(asked++ < 2 ? {} : { tests: { status: "not_found" as const, passed: 0 } }),
    };
    machine = aMachine({ model: scriptedModel(writerOf(2, oneFile)), evaluator });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run).toMatchObject({ status: "partial", reason: "trapped", packed: 1 });
  });

  it("asks for no tests where the user turned them off", async () => {
    const asked: object[] = [];
    const evaluator = {
      evaluate: async (request: object) => {
        asked.push(request);
        return aVerdict({});
      },
    };
    machine = aMachine({ model: scriptedModel(writerOf(1, oneFile)), evaluator });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0, runTests: false } }));
    expect(run.status).toBe("completed");
    expect(asked.every((request) => !("tests" in request))).toBe(true);
  });
});

describe("ceilings", () => {
  const priced = { profile: { price: { input: 2.5, output: 10 } } };

  it("are never passed: the output limit is lowered, then the run ends partial, and resume goes on with more", async () => {
    const model = scriptedModel((request) => ({
      ...writerOf(30, oneFile)(request),
      usage: {
        inputTokens: Math.ceil(JSON.stringify(request.messages).length / 4),
        outputTokens: Math.min(200, request.maxOutputTokens),
      },
    }));
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({ options: { budget: { usd: 0.05 } }, ...priced }));
    expect(run).toMatchObject({ status: "partial", reason: "usd" });
    expect(run.microUsd).toBeLessThanOrEqual(50_000);
    expect(run.microUsd).toBeGreaterThan(20_000);
    expect(model.requests.some((request) => request.maxOutputTokens < 16_384)).toBe(true);
    await machine.resume(run.id, { budget: { usd: 5 } });
    const again = await machine.compute(run.id, new AbortController().signal);
    expect(again).toMatchObject({ status: "completed", packed: 30 });
    expect(Object.keys(await packOf(run.id))).toHaveLength(30);
  });

  it("a resume at the ceiling without a higher one is refused with the flag to give", async () => {
    machine = aMachine({ model: scriptedModel(writerOf(5, oneFile)) });
    const run = await compute(machine, await aSubmission({ options: { budget: { turns: 3 } } }));
    expect(run).toMatchObject({ status: "partial", reason: "turns", turns: 3 });
    await expect(machine.resume(run.id, {})).rejects.toThrow(/ceiling/);
    await expect(machine.resume(run.id, { budget: { turns: 3 } })).rejects.toMatchObject({
      message: "3 turns are used: the ceiling must be above that.",
      exitCode: 2,
      field: "budget.turns",
      remedy: { args: [expect.any(String), "--max-turns", "6"] },
    });
    await machine.resume(run.id, { budget: { turns: 100 } });
    expect(await machine.compute(run.id, new AbortController().signal)).toMatchObject({ status: "completed" });
  });

  it("a call that may have been charged counts as spent in full, one that was refused as nothing", async () => {
    const model = scriptedModel((request, call) => {
      if (call === 1) throw new ModelError("closed", { kind: "broken_answer", perhapsPaid: true });
      if (call === 2) throw new ModelError("busy", { kind: "rate_limited", retryAfterMs: 1, perhapsPaid: false });
      return writerOf(1, oneFile)(request);
    });
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({ options: { budget: { usd: 5 } }, ...priced }));
    expect(run.status).toBe("completed");
    const events = await eventsOf(run.id);
    const lost = events.filter((event) => event.type === "written_off");
    expect(lost).toHaveLength(1);
    const paid = events.reduce(
      (sum, event) => sum + (event.type === "turn" || event.type === "written_off" ? event.microUsd : 0),
      0,
    );
    expect(run.microUsd).toBe(paid);
  });

  it("a charge above the reservation is recorded, and the run goes on below its ceiling", async () => {
    const model = scriptedModel((request, call) => {
      // The bytes of the request, and what a server may add to them.
      const inputTokens = JSON.stringify({ messages: request.messages, tools: request.tools }).length + 4_000;
      return {
        ...writerOf(1, oneFile)(request),
        ...(call === 1 ? { usage: { inputTokens, outputTokens: request.maxOutputTokens } } : {}),
      };
    });
    machine = aMachine({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission({ options: { budget: { usd: 5 } }, ...priced }));
    expect(run).toMatchObject({ status: "completed", overReservation: { calls: 1, microUsd: 0, tokens: 0 } });
    expect(await eventsOf(run.id)).toContainEqual(
      expect.objectContaining({
        type: "notice",
        text: expect.stringMatching(/counts more for a call than was reserved/),
      }),
    );
  });

  it.each([400_000, 2 ** 54, 1e300])(
    "a charge for %d tokens, which no call has, ends a run that it would bring above its ceiling",
    async (outputTokens) => {
      const model = scriptedModel((request) => ({ ...writerOf(1, oneFile)(request), usage: { outputTokens } }));
      machine = aMachine({ model, dailyUsd: 20 });
      const run = await compute(machine, await aSubmission({ options: { budget: { usd: 3 } }, ...priced }));
      expect(run).toMatchObject({ status: "partial", reason: "over_reservation", calls: 1 });
      // The books have what its answer can have cost.
      expect(run.outputTokens).toBeLessThan(200);
      expect(run.microUsd).toBeLessThan(100_000);
      expect(await machine.registry.today()).toEqual({ microUsd: run.microUsd, reservedMicroUsd: 0 });
      expect(await eventsOf(run.id)).toContainEqual(expect.objectContaining({ type: "turn", reserved: true }));
      expect(await machine.registry.run(run.id)).toEqual(run);
    },
  );
});

describe("model servers that fail", () => {
  it("end the run with the reason and keep what was accepted; resume goes on", async () => {
    let broken = true;
    const model = scriptedModel((request) => {
      if (broken && placeOf(request).instruction === 2) {
        throw new ModelError("wrong key", { kind: "credentials", status: 401, perhapsPaid: false });
      }
      return writerOf(3, oneFile)(request);
    });
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({}));
    expect(run).toMatchObject({ status: "failed", reason: "credentials", detail: "wrong key", packed: 1 });
    broken = false;
    await machine.resume(run.id, {});
    expect(await machine.compute(run.id, new AbortController().signal)).toMatchObject({
      status: "completed",
      files: 3,
    });
  });

  it("that time out make the machine ask for less, and the third time stops the instruction", async () => {
    const model = scriptedModel((request) => {
      if (placeOf(request).planning) return writerOf(1, oneFile)(request);
      throw new ModelError("late", { kind: "timed_out", perhapsPaid: true });
    });
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run).toMatchObject({ status: "partial", reason: "trapped" });
    expect(model.requests.slice(1).map((request) => request.maxOutputTokens)).toEqual([16_384, 8_192, 4_096]);
  });

  it("that say the request is too long are believed: stale parts go, and the run completes", async () => {
    let refused = 0;
    const model = scriptedModel((request) => {
      const { planning, instruction, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(2) }]] };
      if (answers === 2 && instruction === 2 && refused++ === 0) {
        throw new ModelError("too long", { kind: "context_exceeded", perhapsPaid: false });
      }
      if (answers < 3) {
        const content = `${instruction}.${answers} `.repeat(500);
        return { calls: [["write_files", { files: [{ path: `f${instruction}-${answers}.txt`, content }] }]] };
      }
      return { calls: [["complete_instruction", { summary: "x" }]] };
    });
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run).toMatchObject({ status: "completed", files: 6 });
    expect(refused).toBeGreaterThan(0);
  });
});

describe("a window that is small", () => {
  it("is never exceeded, though the instruction writes many times what fits it", async () => {
    const window = 8_192;
    const model = scriptedModel((request) => {
      const tokens = Math.ceil(JSON.stringify([request.messages, request.tools]).length / 4);
      if (tokens + request.maxOutputTokens > window)
        throw new Error(`${tokens} + ${request.maxOutputTokens} tokens in a window of ${window}`);
      if (placeOf(request).planning)
        return { calls: [["write_program", { instructions: programOf(1) }]], usage: { inputTokens: tokens } };
      const listed = JSON.stringify(request.messages);
      const next = Array.from({ length: 30 }, (_, index) => `part-${index}.txt`).find((path) => !listed.includes(path));
      if (!next)
        return { calls: [["complete_instruction", { summary: "all written" }]], usage: { inputTokens: tokens } };
      return {
        calls: [["write_files", { files: [{ path: next, content: `${next} `.repeat(400) }] }]],
        usage: { inputTokens: tokens, outputTokens: 1_200 },
      };
    });
    machine = aMachine({ model, evaluator: alwaysGreen });
    const run = await compute(
      machine,
      await aSubmission({ options: { reflect: 0 }, profile: { contextWindow: window, maxOutputTokens: window } }),
    );
    expect(run).toMatchObject({ status: "completed", files: 30 });
  });
});
