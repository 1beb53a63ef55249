/** A model that answers by a script: stateless, from the request alone, or from the number of the call. */
import type { Model, ModelAnswer, ModelRequest } from "../../lib/core/ports.ts";

export interface Said {
  text?: string;
  calls?: [name: string, args: object | string][];
  finish?: ModelAnswer["finish"];
  usage?: Partial<ModelAnswer["usage"]>;
}

export interface ScriptedModel extends Model {
  requests: ModelRequest[];
}

type Script = (request: ModelRequest, call: number) => Said;

/** Asked for smaller instructions in place of one that is stuck. */
export const isSplitting = ({ messages }: ModelRequest): boolean =>
  messages.some(({ content }) => content.startsWith("Splitting instruction "));

const declineToSplit: Script = () => ({ text: "It cannot be made smaller." });

/** The script may throw a ModelError, which is how servers fail. */
export function scriptedModel(script: Script, split = declineToSplit): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async ask(request, signal) {
      signal?.throwIfAborted();
      requests.push(request);
      const answer = isSplitting(request) ? split : script;
      return answerOf(answer(request, requests.length), requests.length);
    },
  };
}

function answerOf({ text = "", calls = [], finish, usage }: Said, call: number): ModelAnswer {
  return {
    text,
    toolCalls: calls.map(([name, args], index) => ({
      id: `call-${call}-${index}`,
      name,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
    })),
    finish: finish ?? (calls.length > 0 ? "tools" : "stop"),
    usage: { inputTokens: 1_000, cachedTokens: 0, outputTokens: 100, ...usage },
    model: "scripted",
    requestId: `request-${call}`,
    milliseconds: 1,
  };
}

/** Where the conversation is: the instruction, and how many answers it holds already. */
export function placeOf(request: ModelRequest): {
  planning: boolean;
  instruction: number;
  total: number;
  answers: number;
} {
  const text = request.messages.map((message) => message.content).join("\n");
  const line = /^Instruction (\d+) of (\d+|an open number): /m.exec(text);
  const answers = request.messages.filter((message) => message.role === "assistant").length;
  return { planning: line === null, instruction: Number(line?.[1] ?? 0), total: Number(line?.[2] ?? 0), answers };
}

export const lastText = (request: ModelRequest): string => request.messages.at(-1)?.content ?? "";

/** A program of `count` instructions; instruction n writes the files that `files(n)` names, then completes. */
export const writerOf =
  (count: number, files: (instruction: number) => { path: string; content: string }[]) =>
  (request: ModelRequest): Said => {
    const place = placeOf(request);
    if (place.planning) return { calls: [["write_program", { instructions: programOf(count) }]] };
    if (place.answers === 0) return { calls: [["write_files", { files: files(place.instruction) }]] };
    return { calls: [["complete_instruction", { summary: `wrote the files of ${place.instruction}` }]] };
  };

export const programOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: `Part ${index + 1}`,
    text: `Write part ${index + 1}.`,
    requirements: [],
  }));

export type Call = [name: string, args: object];
export const writeFile = (path: string, content = "text\n"): Call => ["write_files", { files: [{ path, content }] }];

/** The turns of each instruction; what is left out makes the call `done`. */
export const turnsOf = (
  instructions: Call[][][],
  done: Call = ["complete_instruction", { summary: "done" }],
): ScriptedModel =>
  scriptedModel((request): Said => {
    const { planning, instruction, answers } = placeOf(request);
    if (planning) return { calls: [["write_program", { instructions: programOf(instructions.length) }]] };
    return { calls: instructions[instruction - 1]?.[answers] ?? [done] };
  });
