import { describe, expect, it } from "vitest";
import { atifOf } from "./atif.ts";
import type { Trajectory, TrajectoryRun } from "./trajectory.ts";
import { messagesWith } from "./trajectory.ts";

const run: TrajectoryRun = {
  ...{ id: "01RUN", name: "a", version: "1", model: "m", status: "completed" },
  ...{ inputTokens: 10, cachedTokens: 2, outputTokens: 3, usd: 0.5 },
};

const answer = {
  ...{ finish: "tools" as const, model: "m", requestId: "r", milliseconds: 1 },
  usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1 },
};

const trajectory: Trajectory = {
  ...{ instruction: 2, title: "Do it", summary: "done", tools: [], turns: [], requirements: [], isExact: true },
  messages: messagesWith(
    [
      { role: "system", content: "You write." },
      { role: "user", content: "Write." },
      {
        role: "assistant",
        content: "",
        toolCalls: [
          { id: "1", name: "read", arguments: '{"path":"a"}' },
          { id: "2", name: "read", arguments: "path=b" },
        ],
        continuation: { model: "m", items: [{ encrypted: "thought" }] },
      },
      { role: "tool", content: "A", toolCallId: "1", name: "read" },
      { role: "tool", content: "B", toolCallId: "2", name: "read" },
      { role: "user", content: "Go on." },
    ],
    { answer: { ...answer, text: "Done.", toolCalls: [] }, results: [] },
  ),
};

describe("a trajectory", () => {
  it("leaves out what a provider keeps hidden in an answer", () => {
    expect(JSON.stringify(trajectory)).not.toContain("encrypted");
  });

  it("has in ATIF the results of a call with its step, and arguments that are no JSON as text", () => {
    const [part] = atifOf([trajectory], run).subagent_trajectories ?? [];
    expect(part?.steps.map(({ source, message }) => [source, message])).toEqual([
      ["system", "You write."],
      ["user", "Write."],
      ["agent", ""],
      ["user", "Go on."],
      ["agent", "Done."],
    ]);
    expect(part?.steps[2]).toMatchObject({
      tool_calls: [{ arguments: { path: "a" } }, { arguments: { text: "path=b" } }],
      observation: { results: [{ source_call_id: "1" }, { source_call_id: "2", content: "B" }] },
    });
    // It is not known which turn an answer belongs to, so that nothing is said of its cost.
    expect(part?.steps[4]).not.toHaveProperty("metrics");
  });
});
