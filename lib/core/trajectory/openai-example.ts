/** A trajectory as a line of training data in the form of OpenAI's chat API, which most training tools read. Pure. */
import type { ChatMessage } from "../ports.ts";
import type { Trajectory, TrajectoryRun } from "./trajectory.ts";

export type OpenAiMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: OpenAiCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

interface OpenAiCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface OpenAiExample {
  messages: OpenAiMessage[];
  tools: { type: "function"; function: { name: string; description: string; parameters: Record<string, unknown> } }[];
  metadata: Record<string, unknown>;
}

export const openAiExample = (trajectory: Trajectory, run: TrajectoryRun): OpenAiExample => ({
  messages: trajectory.messages.map(messageOf),
  tools: trajectory.tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  })),
  metadata: metadataOf(trajectory, run),
});

function messageOf(message: ChatMessage): OpenAiMessage {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== "assistant") return message;
  const { content, toolCalls = [] } = message;
  if (toolCalls.length === 0) return { role: "assistant", content };
  const calls = toolCalls.map(
    ({ id, name, arguments: given }): OpenAiCall => ({
      id,
      type: "function",
      function: { name, arguments: given },
    }),
  );
  return { role: "assistant", content: content === "" ? null : content, tool_calls: calls };
}

/** What training tools filter by. */
export const metadataOf = (
  { instruction, title, summary, turns, requirements, isExact }: Trajectory,
  { id, model }: TrajectoryRun,
): Record<string, unknown> => ({
  run: id,
  instruction,
  title,
  outcome: "accepted",
  summary,
  requirements,
  models: turns.length > 0 ? [...new Set(turns.map((each) => each.model))] : [model],
  ...(isExact ? {} : { exact: false }),
});
