/** A model server that writes a whole program of files, stateless: where it is, it reads from each request. */
import { spoilableFiles } from "../doubles/hostile-files.ts";
import type { ScriptedAnswer, ScriptedRequest } from "./scripted-completion.ts";
import type { Fault } from "./scripted-faults.ts";
import * as faults from "./scripted-faults.ts";
import { type ScriptedServer, startScriptedServer } from "./scripted-openai.ts";

export interface WrittenFile {
  path: string;
  content: string;
}

/** The files of one instruction: an ordinary one, and now and then one whose bytes are easily spoiled. */
export function filesOf(instruction: number, ordinaryOnly = false): WrittenFile[] {
  const ordinary = { path: `parts/part-${instruction}.txt`, content: `part ${instruction}\nof many\n` };
  const special = ordinaryOnly ? undefined : spoilableFiles[instruction - 1];
  return special ? [ordinary, special] : [ordinary];
}

export const allFiles = (instructions: number, ordinaryOnly = false): WrittenFile[] =>
  Array.from({ length: instructions }, (_, index) => filesOf(index + 1, ordinaryOnly)).flat();

/** What goes wrong at every n-th request, one thing after the other. */
const TROUBLES: (() => Fault)[] = [
  () => faults.rateLimited({ "retry-after": "1" }),
  () => faults.serverError(),
  faults.closedBefore,
  faults.closedWithin,
  faults.cutArguments,
  faults.cutOff,
  faults.prose,
  faults.unknownTool,
  faults.contextExceeded,
  () => faults.callOf("write_files", { files: [{ path: "../../x", content: "outside" }] }),
  () => faults.callOf("write_files", { files: [{ path: "/etc/x", content: "outside" }] }),
];

export function troublesEvery(nth: number, requests: number): Record<number, Fault> {
  const planned: Record<number, Fault> = {};
  for (let number = nth, index = 0; number <= requests; number += nth, index += 1) {
    const trouble = TROUBLES[index % TROUBLES.length];
    if (trouble) planned[number] = trouble();
  }
  return planned;
}

export const startProgramServer = (asked: {
  instructions: number;
  faults?: Record<number, Fault>;
  dialect?: "openai" | "llama.cpp";
  ordinaryOnly?: boolean;
  refuse?: (request: ScriptedRequest) => Fault | undefined;
}): Promise<ScriptedServer> => startScriptedServer({ ...asked, answer: (request) => answerTo(request, asked) });

/** What the model of such a program says next. */
export function answerTo(
  { messages }: ScriptedRequest,
  { instructions, ordinaryOnly }: { instructions: number; ordinaryOnly?: boolean },
): ScriptedAnswer {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  const marks = [...text.matchAll(/MARK-(\d+)-BEGINS/g)];
  const mark = marks.at(-1)?.[1];
  if (mark === undefined || text.includes("Planning the program"))
    return { toolCalls: [{ name: "write_program", arguments: { instructions: program(instructions) } }] };
  const number = Number(mark);
  // What the machine says of a write that was carried out.
  const files = filesOf(number, ordinaryOnly);
  const done = files.every(({ path }) => new RegExp(`wrote .*${escaped(path)}`, "i").test(text));
  return done
    ? { toolCalls: [{ name: "complete_instruction", arguments: { summary: `part ${number} is written` } }] }
    : { toolCalls: [{ name: "write_files", arguments: { files } }] };
}

const escaped = (path: string): string => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const program = (instructions: number) =>
  Array.from({ length: instructions }, (_, index) => ({
    title: `Part ${index + 1}`,
    text: `MARK-${index + 1}-BEGINS Write the files of this part.`,
    requirements: [],
  }));
