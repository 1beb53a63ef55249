/** Runs the calls of one turn, in order, and says what was wrong with an answer that holds none. */
import type { ModelAnswer, ToolCall } from "../core/ports.ts";
import { oneLine } from "../core/text/cut.ts";
import { nearest } from "../core/text/likeness.ts";
import type { ToolAnswer } from "../core/turn/tool-note.ts";
import type { Tool, Workbench } from "../core/turn/workbench.ts";
import { completeInstruction } from "./complete-instruction.ts";
import { writeFiles } from "./write-files.ts";

/** More than any turn needs; each may cost an evaluation. */
export const CALLS_PER_TURN = 32;

/** Later calls see what earlier ones did, and every call id is answered once. */
export async function runCalls(
  calls: ToolCall[],
  tools: Tool[],
  bench: Workbench,
): Promise<{ results: ToolAnswer[]; accepted: boolean }> {
  const results: ToolAnswer[] = [];
  let accepted = false;
  for (const call of withoutRepeatedIds(calls)) {
    const tool = tools.find(({ spec }) => spec.name === call.name);
    if (accepted) results.push(refused(call, AFTER_ACCEPTED));
    else if (results.length >= CALLS_PER_TURN) results.push(refused(call, TOO_MANY));
    else if (!tool) results.push(refused(call, unknownTool(call.name, tools)));
    else {
      const result = await tool.call(call.id, call.arguments, bench);
      results.push(result);
      accepted = tool.category === "end" && result.ok;
    }
  }
  return { results, accepted };
}

/** For prose, cut and withheld answers; empty where there are calls, since each of them has its own answer. */
export function correctionFor(answer: ModelAnswer, tools: readonly Tool[]): string {
  if (answer.toolCalls.length > 0) return "";
  const names = tools.map(({ spec }) => spec.name);
  const call = names.length === 1 ? `a call of ${names[0]}` : `calls of these tools: ${names.join(", ")}`;
  const end = names.includes(completeInstruction.spec.name) ? ` ${END}` : "";
  return `${wrongWith(answer, names.includes(writeFiles.spec.name))} Answer with ${call}.${end}`;
}

const END = "When the instruction is done, call complete_instruction.";

function wrongWith({ finish, text, usage }: ModelAnswer, canWrite: boolean): string {
  if (finish === "filtered") return "The model server's content filter withheld your answer. Go on in other words.";
  if (finish === "cut") {
    const advice = canWrite ? SMALLER_WRITES : "Answer again, shorter.";
    return `Your answer was cut off at the output limit, after ${usage.outputTokens} tokens and before any call. ${advice}`;
  }
  if (text.trim() === "") return "Your answer was empty.";
  return canWrite && text.includes("```")
    ? "Your answer was text without a tool call, so the files in it were not written: pass them to write_files."
    : "Your answer was text without a tool call, and only tool calls have an effect.";
}

const SMALLER_WRITES =
  "Write less at once: one file per answer; of a long file its beginning with write_files, the rest passage by passage with edit_file.";

const AFTER_ACCEPTED = "Not run: the instruction is complete, and this call came after.";
const TOO_MANY = `Not run: one answer holds at most ${CALLS_PER_TURN} calls. Call it again.`;

/** A second answer to one id would be refused by the model server; only the first call of an id is run. */
function withoutRepeatedIds(calls: ToolCall[]): ToolCall[] {
  const seen = new Set<string>();
  return calls.filter(({ id }) => !seen.has(id) && seen.add(id));
}

export const refused = (call: ToolCall, text: string, note = "not run"): ToolAnswer => ({
  callId: call.id,
  tool: oneLine(call.name, 60),
  ok: false,
  text,
  note,
  facts: { subject: note },
  about: { kind: "other" },
});

function unknownTool(name: string, tools: Tool[]): string {
  const names = tools.map(({ spec }) => spec.name);
  const first = nearest(name, names, names.length);
  const ordered = [...first, ...names.filter((other) => !first.includes(other))];
  return `Not run: there is no tool ${JSON.stringify(oneLine(name, 60))}. The tools are ${ordered.join(", ")}.`;
}
