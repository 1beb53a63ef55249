/** A trajectory as a line of training data in the ShareGPT form with tools: turns of two sides that alternate. Pure. */
import type { ChatMessage } from "../ports.ts";
import { metadataOf } from "./openai-example.ts";
import { argumentsOf, type Trajectory, type TrajectoryRun } from "./trajectory.ts";

export interface ShareGptTurn {
  from: "human" | "gpt" | "function_call" | "observation";
  value: string;
}

export interface ShareGptExample {
  system: string;
  /** JSON. */
  tools: string;
  conversations: ShareGptTurn[];
  metadata: Record<string, unknown>;
}

export const shareGptExample = (trajectory: Trajectory, run: TrajectoryRun): ShareGptExample => ({
  system: trajectory.messages.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join("\n\n"),
  tools: JSON.stringify(trajectory.tools),
  conversations: withFinalAnswer(trajectory.messages.flatMap(turnOf).reduce(joined, [])),
  metadata: metadataOf(trajectory, run),
});

function turnOf(message: ChatMessage): ShareGptTurn[] {
  if (message.role === "tool") return [{ from: "observation", value: message.content }];
  if (message.role !== "assistant") return message.role === "user" ? [{ from: "human", value: message.content }] : [];
  const { content, toolCalls = [] } = message;
  if (toolCalls.length === 0) return [{ from: "gpt", value: content }];
  const calls = toolCalls.map(({ name, arguments: given }) => ({ name, arguments: argumentsOf(given) }));
  return [{ from: "function_call", value: JSON.stringify(calls.length === 1 ? calls[0] : calls) }];
}

const isModel = ({ from }: ShareGptTurn): boolean => from === "gpt" || from === "function_call";

/** Readers demand that the sides alternate: results of several calls, and a correction after them, are one turn. */
function joined(turns: ShareGptTurn[], turn: ShareGptTurn): ShareGptTurn[] {
  const before = turns.at(-1);
  if (!before || isModel(before) !== isModel(turn)) return [...turns, turn];
  return [...turns.slice(0, -1), { from: before.from, value: `${before.value}\n\n${turn.value}` }];
}

/** The results of the call that completed it teach nothing more: readers demand that the model has the last turn. */
const withFinalAnswer = (turns: ShareGptTurn[]): ShareGptTurn[] => turns.slice(0, turns.findLastIndex(isModel) + 1);
