/**
 * A model that writes by a script: stateless, from the request alone, as a real one does. What it appends would be seen
 * twice if the effects of a turn were applied twice; begun again it looks at what is there first.
 */
import { ModelError, type ModelErrorKind } from "../../lib/core/errors.ts";
import type { ChatMessage, Clock, Model, ModelAnswer, ModelRequest } from "../../lib/core/ports.ts";
import { placeOf, programOf, type Said } from "../doubles/scripted-model.ts";
import type { Chance } from "./chance.ts";
import type { Trouble } from "./fault.ts";

const USAGE = { inputTokens: 1_000, cachedTokens: 0, outputTokens: 100 };
export const PRICE = { input: 2.5, output: 10 };
const CHARGE = USAGE.inputTokens * PRICE.input + USAGE.outputTokens * PRICE.output;

export interface PlayedModel extends Model {
  asked(): number;
  /** In micro-dollars, whether or not anybody received the answer. */
  charged(): number;
}

export interface Playing {
  instructions: number;
  clock: Clock;
  chance: Chance;
  troubles: Map<number, Trouble>;
  /** Absent: it writes a program, and a ledger. */
  script?: (request: ModelRequest) => Said;
  /** Called with every request before it is answered. */
  onAsk?: (request: ModelRequest) => void;
}

export function createPlayedModel(playing: Playing): PlayedModel {
  const { clock, chance, troubles, onAsk = () => {} } = playing;
  const script = playing.script ?? ((request) => nextOf(request, playing.instructions));
  let asked = 0;
  let charged = 0;
  return {
    asked: () => asked,
    charged: () => charged,
    async ask(request) {
      asked += 1;
      const call = asked;
      onAsk(request);
      await clock.sleep(chance.between(1, 30) * 1_000);
      const trouble = troubles.get(call);
      const failure = trouble && failureOf(trouble);
      if (!failure || failure.perhapsPaid) charged += CHARGE;
      if (failure) throw failure;
      return answerOf((trouble && troubled(trouble)) ?? script(request), call);
    },
  };
}

const HOUR_MS = 3_600_000;

function failureOf(trouble: Trouble): ModelError | undefined {
  const failing = (kind: ModelErrorKind, perhapsPaid = false, retryAfterMs?: number): ModelError =>
    new ModelError(trouble, { kind, perhapsPaid, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  if (trouble === "rate_limited") return failing("rate_limited");
  if (trouble === "rate_limited_for_hours") return failing("rate_limited", false, 3 * HOUR_MS);
  if (trouble === "rate_limited_for_a_day") return failing("rate_limited", false, 24 * HOUR_MS);
  if (trouble === "unavailable") return failing("unavailable");
  if (trouble === "broken_answer") return failing("broken_answer", true);
  if (trouble === "timed_out") return failing("timed_out", true);
  return trouble === "context_exceeded" ? failing("context_exceeded") : undefined;
}

function troubled(trouble: Trouble): Said | undefined {
  const write = (path: string): Said => ({ calls: [["write_files", { files: [{ path, content: "astray" }] }]] });
  if (trouble === "prose") return { text: "I would rather talk about it." };
  if (trouble === "cut") return { ...write("cut.txt"), finish: "cut" };
  if (trouble === "unknown_tool") return { calls: [["launch_rocket", {}]] };
  if (trouble === "mistyped") return { calls: [["write_files", '{"files": [{"path"']] };
  return trouble === "outside" ? write("../outside.txt") : undefined;
}

export const LEDGER = "ledger.txt";
const END = "end\n";
const markOf = (instruction: number): string => `entry-${String(instruction).padStart(5, "0")}`;
const partOf = (instruction: number): string => `parts/part-${instruction}.txt`;

function nextOf(request: ModelRequest, instructions: number): Said {
  const { planning, instruction } = placeOf(request);
  if (planning) return { calls: [["write_program", { instructions: programOf(instructions) }]] };
  const done = resultsIn(request.messages);
  const part = partOf(instruction);
  if (!done.get("write_files")?.includes(part)) {
    const files = [{ path: part, content: `${markOf(instruction)}\n${END}` }];
    if (instruction === 1) files.push({ path: LEDGER, content: `${END}` });
    return { calls: [["write_files", { files }]] };
  }
  const ledger = done.get("read_files");
  if (ledger === undefined) return { calls: [["read_files", { files: [LEDGER] }]] };
  const mark = markOf(instruction);
  const append = (path: string): [string, object] => [
    "edit_file",
    { path, edits: [{ find: END, replace: `${mark}\n${END}` }] },
  ];
  const complete: [string, object] = ["complete_instruction", { summary: `${mark} is there` }];
  if (done.get("edit_file")?.includes(part)) return { calls: [complete] };
  const entries = ledger.includes(mark) ? [] : [append(LEDGER)];
  return { calls: [...entries, append(part), complete] };
}

/** What the tools answered in this conversation, the last answer of each. */
function resultsIn(messages: ChatMessage[]): Map<string, string> {
  const results = new Map<string, string>();
  for (const message of messages) if (message.role === "tool") results.set(message.name, message.content);
  return results;
}

function answerOf({ text = "", calls = [], finish }: Said, call: number): ModelAnswer {
  const toolCalls = calls.map(([name, args], index) => ({
    id: `call-${call}-${index}`,
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  }));
  return {
    text,
    toolCalls,
    finish: finish ?? (toolCalls.length > 0 ? "tools" : "stop"),
    usage: USAGE,
    model: "played",
    requestId: `request-${call}`,
    milliseconds: 1_000,
  };
}
