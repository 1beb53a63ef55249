/** A model that answers from recorded scenes: rehearses a run without a key, a network or cost. */
import type { Model, ModelAnswer, ModelRequest, ToolCall } from "../../core/ports.ts";
import { REHEARSAL } from "../rehearsal-name.ts";
import { conversationOf, isSplitting } from "./conversation.ts";
import { examinerBeat } from "./examiner.ts";
import { nextBeat } from "./next-beat.ts";
import { programCall } from "./program-call.ts";
import { readScenes, sceneOf } from "./read-scenes.ts";
import { callsOf, type Scene, type SceneCall } from "./scene.ts";

export interface RehearsalParts {
  /** The folder of scenes. */
  rehearsals: string;
  now?: () => number;
}

/** Keeps no state: the position in the scene is read from each request, so any process can answer any turn. */
export function createRehearsalModel({ rehearsals, now = () => 0 }: RehearsalParts): Model {
  return {
    async ask(request, signal) {
      signal?.throwIfAborted();
      const started = now();
      const { text, toolCalls } = answerTo(request, sceneOf(readScenes(rehearsals), request));
      return { ...withinLimit({ text, toolCalls }, request), ...origin(request), milliseconds: now() - started };
    },
  };
}

type Answer = Pick<ModelAnswer, "text" | "toolCalls">;

function answerTo(request: ModelRequest, scene: Scene): Answer {
  if (isSplitting(request)) return answer("No scene splits an instruction.", [], request);
  if (request.tools.some((tool) => tool.name === "write_program")) {
    const say = `I plan the scene ${scene.name}, written beforehand; no language model is asked.`;
    return answer(say, [programCall(scene, request)], request);
  }
  const examiner = examinerBeat(scene, request);
  if (examiner) return answer(examiner.say, examiner.calls, request);
  const conversation = conversationOf(request);
  if (!conversation) return answer("This conversation opens no instruction: there is nothing to play.", [], request);
  const beat = nextBeat(scene, conversation);
  return answer(beat.say, callsOf(beat, conversation.offered), request);
}

const answer = (say: string, calls: SceneCall[], request: ModelRequest): Answer => ({
  text: `[rehearsal] ${say}`,
  toolCalls: calls.map((call, at) => toolCall(call, `call_${request.messages.length}_${at + 1}`)),
});

const toolCall = (call: SceneCall, id: string): ToolCall => ({
  id,
  name: call.tool,
  arguments: JSON.stringify(call.arguments),
});

const origin = (request: ModelRequest): Pick<ModelAnswer, "model" | "requestId"> => ({
  model: REHEARSAL,
  requestId: `${REHEARSAL}-${request.messages.length}`,
});

const BYTES_PER_TOKEN = 4;
const encoder = new TextEncoder();
const tokensOf = (value: unknown): number => Math.ceil(encoder.encode(JSON.stringify(value)).length / BYTES_PER_TOKEN);

/** An answer longer than its limit is cut as a server cuts it: in the middle of a call. */
function withinLimit(whole: Answer, request: ModelRequest): Pick<ModelAnswer, keyof Answer | "finish" | "usage"> {
  const inputTokens = tokensOf({ messages: request.messages, tools: request.tools });
  const outputTokens = tokensOf(whole);
  const usage = { inputTokens, cachedTokens: 0, outputTokens: Math.min(outputTokens, request.maxOutputTokens) };
  if (outputTokens <= request.maxOutputTokens) {
    return { ...whole, finish: whole.toolCalls.length > 0 ? "tools" : "stop", usage };
  }
  // Without the beat's own text, so that it is played again.
  return {
    text: "[rehearsal] (cut short)",
    toolCalls: cut(whole.toolCalls, request.maxOutputTokens),
    finish: "cut",
    usage,
  };
}

function cut(calls: ToolCall[], maxOutputTokens: number): ToolCall[] {
  return calls.slice(0, 1).map((call) => ({
    ...call,
    arguments: call.arguments.slice(0, Math.min(call.arguments.length - 1, maxOutputTokens * BYTES_PER_TOKEN)),
  }));
}
