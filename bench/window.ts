/** A program whose output is a hundred times the model's window: no overflow, every file intact. */
import { createHash } from "node:crypto";
import type { ModelRequest } from "../lib/core/ports.ts";
import { runOf } from "./machine.ts";
import { positionOf, type ScriptedTurn, scriptedModel } from "./scripted-model.ts";
import type { Row } from "./table.ts";

const WINDOW = 8_192;
const BYTES_PER_TOKEN = 4;
const TIMES = 100;
const INSTRUCTIONS = 50;
const FILE_BYTES = 8_000;
const FILES = Math.ceil((WINDOW * BYTES_PER_TOKEN * TIMES) / FILE_BYTES / INSTRUCTIONS);

export async function largerThanWindow(): Promise<Row[]> {
  let overflows = 0;
  let largest = 0;
  const model = scriptedModel((request) => {
    const tokens = tokensOf(request);
    largest = Math.max(largest, tokens + request.maxOutputTokens);
    if (tokens + request.maxOutputTokens > WINDOW) overflows += 1;
    return { ...turnOf(request), usage: { inputTokens: tokens, outputTokens: FILE_BYTES / BYTES_PER_TOKEN } };
  });
  let intact = 0;
  let bytes = 0;
  await runOf({
    instructions: INSTRUCTIONS,
    model,
    profile: { contextWindow: WINDOW, maxOutputTokens: WINDOW },
    async look(machine, run) {
      for (const file of await machine.registry.allFiles(run.id)) {
        const [instruction = 0, index = 0] = file.path.match(/\d+/g)?.map(Number) ?? [];
        const expected = createHash("sha256").update(contentOf(instruction, index)).digest("hex");
        if (file.sha256 === expected) intact += 1;
        bytes += file.bytes;
      }
    },
  });
  const files = INSTRUCTIONS * FILES;
  const times = bytes / BYTES_PER_TOKEN / WINDOW;
  return [
    {
      what: `output : window of ${WINDOW} tokens`,
      figure: `${times.toFixed(0)} ×`,
      aim: `≥ ${TIMES} ×`,
      reached: times >= TIMES,
    },
    { what: "… files intact", figure: `${intact} of ${files}`, aim: "all", reached: intact === files },
    {
      what: `… requests that with their answers exceed the window (largest ${largest})`,
      figure: `${overflows} of ${model.requests.length}`,
      aim: "0",
      reached: overflows === 0,
    },
  ];
}

const tokensOf = ({ messages, tools }: ModelRequest): number =>
  Math.ceil(JSON.stringify([messages, tools]).length / BYTES_PER_TOKEN);

function turnOf(request: ModelRequest): ScriptedTurn {
  const { instruction } = positionOf(request);
  const seen = JSON.stringify(request.messages);
  for (let index = 0; index < FILES; index += 1) {
    const path = `part-${instruction}/file-${index}.txt`;
    if (!seen.includes(path))
      return { call: ["write_files", { files: [{ path, content: contentOf(instruction, index) }] }] };
  }
  return { call: ["complete_instruction", { summary: "written" }] };
}

/** Text that differs everywhere and does not compress to nothing. */
function contentOf(instruction: number, index: number): string {
  let text = "";
  for (let line = 0; text.length < FILE_BYTES; line += 1) {
    const word = createHash("sha256").update(`${instruction}.${index}.${line}`).digest("hex").slice(0, 12);
    text += `line ${line} of this text says ${word} and nothing else\n`;
  }
  return text;
}
