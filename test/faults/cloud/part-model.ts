/** What the model of the stage says: a program of parts, checked by tests of its own, with a ledger that shows what was done twice. */
import { createDisturbances, type Disturbances } from "../../../packages/aws-rehearsal/index.ts";
import type { ScriptedAnswer, ScriptedRequest } from "../../servers/scripted-openai.ts";

/** One more than the executions of the stage have loops: the last part is computed by the next epoch. */
export const PARTS = 4;

/** A request that waits for its answer. */
export interface Held {
  came(): void;
  until: Promise<unknown>;
}

export interface PartModel {
  held: Disturbances<ScriptedRequest, Held>;
  script(request: ScriptedRequest): Promise<ScriptedAnswer>;
}

export function createPartModel(): PartModel {
  const held: PartModel["held"] = createDisturbances();
  return {
    held,
    async script(request) {
      const holding = held.of(request);
      holding?.came();
      await holding?.until;
      return answerTo(request);
    },
  };
}

/** 0: the program is being planned. */
export function partOf({ messages }: Pick<ScriptedRequest, "messages">): number {
  const text = textOf(messages);
  return text.includes("Planning the program") ? 0 : Number([...text.matchAll(/MARK-(\d+)-BEGINS/g)].at(-1)?.[1] ?? 0);
}

function answerTo(request: ScriptedRequest): ScriptedAnswer {
  const part = partOf(request);
  if (part === 0) return { toolCalls: [{ name: "write_program", arguments: { instructions: PROGRAM } }] };
  const isWritten = new RegExp(`wrote .*parts/part-${part}\\.`, "i").test(textOf(request.messages));
  if (isWritten)
    return { toolCalls: [{ name: "complete_instruction", arguments: { summary: `Part ${part} is there.` } }] };
  return { toolCalls: [{ name: "write_files", arguments: { files: filesOf(part) } }, ...entryOf(part)] };
}

const textOf = (messages: ScriptedRequest["messages"]): string =>
  messages.map(({ content }) => content ?? "").join("\n");

const PROGRAM = Array.from({ length: PARTS }, (_, index) => ({
  title: `Part ${index + 1}`,
  text: `MARK-${index + 1}-BEGINS Write the file of this part.`,
  requirements: [],
}));

const END = "end\n";

/** Only the last one is code: each check of it is a process. */
const filesOf = (part: number) => [
  ...(part === 1 ? [{ path: LEDGER, content: END }] : []),
  ...(part === PARTS ? [CODE, TEST] : [{ path: `parts/part-${part}.txt`, content: `part ${part}\n` }]),
];

const CODE = { path: `parts/part-${PARTS}.js`, content: `export const part = ${PARTS};\n` };

const TEST = {
  path: `test/part-${PARTS}.test.js`,
  content: [
    'import { test } from "node:test";',
    'import assert from "node:assert/strict";',
    `import { part } from "../parts/part-${PARTS}.js";`,
    `test("the last part is there", () => assert.equal(part, ${PARTS}));`,
    "",
  ].join("\n"),
};

const LEDGER = "ledger.txt";

/** Applied twice it would stand there twice. */
const entryOf = (part: number) =>
  part === 1
    ? []
    : [{ name: "edit_file", arguments: { path: LEDGER, edits: [{ find: END, replace: `part ${part}\n${END}` }] } }];
