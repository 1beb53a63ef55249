/** A model that answers from written scenes: every run can be rehearsed without a key, a network or a cent. */
import type { Model, ModelAnswer, ModelRequest, ToolCall } from "../core/ports.ts";
import { REHEARSAL } from "./rehearsal-name.ts";
import { callsOf, type Scene, type SceneCall } from "./scene.ts";
import { sceneOf } from "./scene-choice.ts";
import { nextBeat } from "./scene-next.ts";
import { type Place, placeOf } from "./scene-place.ts";
import { programCall } from "./scene-plan.ts";

/** Keeps no state: where a run stands is read from each request, so any process can answer any turn. */
export function createRehearsalModel({ scene, now = () => 0 }: { scene?: Scene; now?: () => number } = {}): Model {
  return {
    async ask(request, signal) {
      signal?.throwIfAborted();
      const started = now();
      const { text, toolCalls } = answerTo(request, scene ?? sceneOf(request));
      return { ...withinLimit({ text, toolCalls }, request), ...origin(request), milliseconds: now() - started };
    },
  };
}

type Spoken = Pick<ModelAnswer, "text" | "toolCalls">;

function answerTo(request: ModelRequest, scene: Scene): Spoken {
  if (request.tools.some((tool) => tool.name === "write_program")) {
    const say = `I plan the scene ${scene.name}, written beforehand; no language model is asked.`;
    return spoken(say, [programCall(scene, request)], request);
  }
  const place = placeOf(request);
  if (!place) return spoken("This conversation opens no instruction: there is nothing to play.", [], request);
  return spokenBeat(scene, place, request);
}

function spokenBeat(scene: Scene, place: Place, request: ModelRequest): Spoken {
  const beat = nextBeat(scene, place);
  return spoken(beat.say, callsOf(beat, place.offered), request);
}

const spoken = (say: string, calls: SceneCall[], request: ModelRequest): Spoken => ({
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
function withinLimit(whole: Spoken, request: ModelRequest): Pick<ModelAnswer, keyof Spoken | "finish" | "usage"> {
  const inputTokens = tokensOf({ messages: request.messages, tools: request.tools });
  const outputTokens = tokensOf(whole);
  const usage = { inputTokens, cachedTokens: 0, outputTokens: Math.min(outputTokens, request.maxOutputTokens) };
  if (outputTokens <= request.maxOutputTokens) {
    return { ...whole, finish: whole.toolCalls.length > 0 ? "tools" : "stop", usage };
  }
  // Without the words of the beat, so that it is played again.
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
