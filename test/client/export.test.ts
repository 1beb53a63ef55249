/** `l2mac export`: what a run did as training data and as a trajectory, as others read them. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AtifTrajectory } from "../../lib/core/trajectory/atif.ts";
import type { OpenAiExample } from "../../lib/core/trajectory/openai-example.ts";
import type { ShareGptExample } from "../../lib/core/trajectory/sharegpt-example.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";

const hasHarbor = spawnSync("python3", ["-c", "import harbor.models.trajectories"]).status === 0;
const checker = fileURLToPath(new URL("check_trajectory.py", import.meta.url));

/** One run of three instructions, each of which writes a file of its own. */
let bench: Bench;
beforeAll(async () => {
  const server = await startProgramServer({ instructions: 3, ordinaryOnly: true });
  bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
  const { code, stderr } = await bench.run(["Write the parts.", "--model", "scripted", "--name", "part"]);
  expect(code, stderr).toBe(0);
  await server.close();
});
afterAll(() => bench.remove());

async function exported(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await bench.run(["export", ...args]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("4 steps. Terms of a model's provider may forbid")]);
  return stdout.trim().split("\n");
}

describe("l2mac export", () => {
  it("writes a line for the planning and each accepted instruction, in the form of OpenAI's chat API", async () => {
    const examples = (await exported()).map((line): OpenAiExample => JSON.parse(line));
    expect(examples.map(({ metadata }) => [metadata.instruction, metadata.outcome, metadata.models])).toEqual(
      [0, 1, 2, 3].map((instruction) => [instruction, "accepted", ["scripted"]]),
    );
    for (const { messages, tools, metadata } of examples) {
      // The types of OpenAI's own package.
      const typed: OpenAI.ChatCompletionMessageParam[] = messages;
      const functions: OpenAI.ChatCompletionFunctionTool[] = tools;
      expect(typed.slice(0, 2).map(({ role }) => role)).toEqual(["system", "user"]);
      const names = functions.map((each) => each.function.name);
      const calls = messages.flatMap((each) => (each.role === "assistant" ? (each.tool_calls ?? []) : []));
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) {
        expect(names).toContain(call.function.name);
        expect(messages).toContainEqual({ role: "tool", tool_call_id: call.id, content: expect.any(String) });
      }
      expect(metadata).not.toHaveProperty("exact");
    }
  });

  it("writes turns whose sides alternate and that the model ends, in the form of ShareGPT", async () => {
    const examples = (await exported("part", "--format", "sharegpt")).map((line): ShareGptExample => JSON.parse(line));
    expect(examples).toHaveLength(4);
    for (const { system, tools, conversations } of examples) {
      expect(system).not.toBe("");
      expect(JSON.parse(tools)).not.toEqual([]);
      const sides = conversations.map(({ from }) => (["gpt", "function_call"].includes(from) ? "model" : "other"));
      expect(sides).toEqual(sides.map((_side, at) => (at % 2 === 0 ? "other" : "model")));
      expect(sides.at(-1)).toBe("model");
    }
  });

  it("writes one trajectory of the run, with one of each instruction, their calls and their costs", async () => {
    const trajectory: AtifTrajectory = JSON.parse((await exported("--format", "atif")).join("\n"));
    const { subagent_trajectories: parts = [], steps } = trajectory;
    expect(steps.map(({ step_id }) => step_id)).toEqual([1, 2, 3, 4, 5]);
    expect(parts).toHaveLength(4);
    for (const { steps: own } of parts) {
      const agent = own.filter(({ source }) => source === "agent");
      expect(agent.every(({ metrics }) => (metrics?.prompt_tokens ?? 0) > 0)).toBe(true);
      const answered = agent.flatMap(({ observation }) => observation?.results ?? []);
      expect(answered.every(({ source_call_id }) => source_call_id !== undefined)).toBe(true);
    }
  });

  it.skipIf(!hasHarbor)("writes a trajectory that Harbor reads (needs harbor of PyPI)", async () => {
    const path = bench.write("trajectory.json", (await exported("--format", "atif")).join("\n"));
    const { stdout, stderr } = spawnSync("python3", [checker, path], { encoding: "utf8" });
    expect([stdout.trim(), stderr]).toEqual(["5 4", ""]);
  });

  it("refuses what it cannot export, and says what to do", async () => {
    const cases: [string[], number, string][] = [
      [["export", "--format", "csv"], 2, '"csv" is none of them'],
      [["export", "--proven"], 2, "asked for no evidence"],
      [["export", "nosuchrun"], 2, "nosuchrun"],
    ];
    for (const [args, code, message] of cases) {
      const ended = await bench.run(args);
      expect([ended.code, ended.stdout]).toEqual([code, ""]);
      expect(ended.stderr).toContain(message);
    }
  });
});
