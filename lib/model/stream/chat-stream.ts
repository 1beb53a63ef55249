/** Streams of Chat Completions: chunks with what is new of the first choice. Pure. */
import { isObject, type JsonObject, parseObject } from "../loose-json.ts";
import { type AnswerSize, type Assembly, createPieces, type Pieces } from "./assembly.ts";

interface OpenCall {
  /** Absent: the server numbers no calls. */
  index: number | undefined;
  id: string;
  name: string;
  arguments: Pieces;
}

export function assembleChat(): Assembly {
  const size: AnswerSize = { characters: 0, bytes: 0, blocks: 0 };
  const [content, refusal, thoughts] = [createPieces(size), createPieces(), createPieces(size)];
  const calls = createCalls(size);
  /** The last chunk that says it, for each. */
  const said: JsonObject = {};
  let reason: unknown;
  let isDone = false;
  let isBegun = false;
  const addDelta = (delta: JsonObject): void => {
    content.add(textOf(delta.content));
    refusal.add(delta.refusal);
    // The names of DeepSeek and of OpenRouter.
    thoughts.add(delta.reasoning_content ?? delta.reasoning);
    const listed = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isObject) : [];
    for (const call of listed) calls.add(call);
    if (isObject(delta.function_call)) calls.add({ index: 0, function: delta.function_call });
  };
  return {
    add({ data }) {
      if (data.trim() === "[DONE]") isDone = true;
      const chunk = parseObject(data);
      if (!chunk) return;
      Object.assign(said, headIn(chunk));
      const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
      if (!isObject(choice)) return;
      isBegun = true;
      // Some servers send a whole message as their only chunk.
      const delta = choice.delta ?? choice.message;
      if (isObject(delta)) addDelta(delta);
      reason = choice.finish_reason ?? reason;
    },
    isComplete: () => isDone || reason !== undefined || said.error !== undefined,
    body() {
      // A refusal in the middle takes back what came before.
      if (said.error !== undefined) return { error: said.error };
      if (!isBegun) return undefined;
      const message = {
        role: "assistant",
        content: content.text(),
        ...(refusal.text() === "" ? {} : { refusal: refusal.text() }),
        ...(calls.open.length > 0 ? { tool_calls: calls.open.map(callOf) } : {}),
      };
      return { ...said, choices: [{ message, finish_reason: reason ?? null }] };
    },
    received: () =>
      [thoughts.text(), content.text(), ...calls.open.map((call) => call.arguments.text())].join("\n").trim(),
    size,
  };
}

/** What is said of the whole answer; Groq counts tokens in a place of its own. */
function headIn({ id, model, usage, error, x_groq: own }: JsonObject): JsonObject {
  const counted = isObject(own) ? (own.usage ?? usage) : usage;
  return {
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof model === "string" ? { model } : {}),
    ...(isObject(counted) ? { usage: counted } : {}),
    ...(isObject(error) ? { error } : {}),
  };
}

function createCalls(size: AnswerSize) {
  const open: OpenCall[] = [];
  /** The last one of each number, so that an answer of many calls is read in time. */
  const lastOf = new Map<number | undefined, OpenCall>();
  return {
    open,
    /** Some servers number every call 0, others none: another id begins another call. */
    add(call: JsonObject): void {
      const index = typeof call.index === "number" ? call.index : undefined;
      const id = typeof call.id === "string" ? call.id : "";
      const { name = "", arguments: args = "" } = isObject(call.function) ? call.function : {};
      let found = lastOf.get(index);
      if (!found || (id !== "" && found.id !== "" && id !== found.id)) {
        found = { index, id, name: "", arguments: createPieces(size) };
        open.push(found);
        size.blocks += 1;
        lastOf.set(index, found);
      }
      found.id ||= id;
      // A name may be repeated in every chunk.
      if (typeof name === "string" && found.name === "") found.name = name;
      found.arguments.add(isObject(args) ? JSON.stringify(args) : args);
    },
  };
}

const callOf = ({ id, name, arguments: args }: OpenCall) => ({
  id,
  type: "function",
  function: { name, arguments: args.text() },
});

const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part) => (isObject(part) && typeof part.text === "string" ? part.text : "")).join("")
    : typeof content === "string"
      ? content
      : "";
