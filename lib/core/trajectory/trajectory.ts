/** How an instruction was executed: the last conversation of its model, to its acceptance. Pure. */
import type { ChatMessage, ToolSpec } from "../ports.ts";
import type { AnswerBody, EffectsBody, TurnRecord } from "../turn/turn.ts";

export interface ProvenRequirement {
  requirement: string;
  state: "proven" | "waived" | "unproven";
  grade?: number;
}

/** One model exchange of it. */
export type TrajectoryTurn = Pick<TurnRecord, "at" | "inputTokens" | "cachedTokens" | "outputTokens" | "microUsd"> & {
  model: string;
};

export interface Trajectory {
  /** 0: planning. */
  instruction: number;
  title: string;
  summary: string;
  messages: ChatMessage[];
  tools: ToolSpec[];
  /** Of the answers among the messages, in their order. Empty: it is not known which is whose. */
  turns: TrajectoryTurn[];
  /** How far what it serves is proven. Empty: the run asked for no evidence, or it serves nothing. */
  requirements: ProvenRequirement[];
  /** Whether the messages are what was sent, byte for byte. */
  isExact: boolean;
}

/** Besides what all its trajectories share. */
export interface TrajectoryRun {
  id: string;
  name: string;
  version: string;
  model: string;
  status: string;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  usd: number;
}

export const NOTE =
  "Terms of a model's provider may forbid to train other models with its answers, and files that a run started from keep their licence. Secrets that are known by their form were removed.";

interface LastExchange {
  answer: AnswerBody["answer"];
  results: EffectsBody["results"];
}

/** What was asked last, what was answered, and what its calls showed. What a provider keeps hidden in it is left out. */
export function messagesWith(asked: ChatMessage[], { answer, results }: LastExchange): ChatMessage[] {
  const { text, toolCalls } = answer;
  return [
    ...asked.map(withoutContinuation),
    { role: "assistant", content: text, ...(toolCalls.length > 0 ? { toolCalls } : {}) },
    ...results.map(
      ({ callId, tool, text: content }): ChatMessage => ({ role: "tool", content, toolCallId: callId, name: tool }),
    ),
  ];
}

function withoutContinuation(message: ChatMessage): ChatMessage {
  if (message.role !== "assistant") return message;
  const { continuation: _hidden, ...shown } = message;
  return shown;
}

export const isAllProven = ({ requirements }: Trajectory): boolean =>
  requirements.length > 0 && requirements.every(({ state }) => state === "proven");

/** Arguments as an object; what is no JSON stays text. */
export function argumentsOf(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // It is shown as it was written.
  }
  return { text };
}
