/** Streams of the Responses API: the last event has the whole response. Pure. */
import { isObject, type JsonObject, parseObject } from "../loose-json.ts";
import { type AnswerSize, type Assembly, createPieces } from "./assembly.ts";

const ENDED = new Set(["response.completed", "response.incomplete", "response.failed"]);
const WRITTEN = new Set([
  "response.output_text.delta",
  "response.refusal.delta",
  "response.function_call_arguments.delta",
]);

export function assembleResponse(): Assembly {
  const size: AnswerSize = { characters: 0, bytes: 0, blocks: 0 };
  const written = createPieces(size);
  let whole: JsonObject | undefined;
  return {
    add({ type, data }) {
      const event = parseObject(data);
      if (!event) return;
      const name = typeof event.type === "string" ? event.type : type;
      if (WRITTEN.has(name)) written.add(event.delta);
      else if (ENDED.has(name) && isObject(event.response)) whole = event.response;
      else if (name === "error") whole = { error: isObject(event.error) ? event.error : event };
    },
    isComplete: () => whole !== undefined,
    body: () => whole,
    received: written.text,
    size,
  };
}
