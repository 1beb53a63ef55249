/** How much of each request is a stable prefix of the one before it, which providers cache and charge less for. */
import type { ModelRequest } from "../lib/core/ports.ts";
import { runOf } from "./machine.ts";
import { positionOf, type ScriptedTurn, scriptedModel } from "./scripted-model.ts";
import type { Row } from "./table.ts";

const INSTRUCTIONS = 10;
const TURNS = 12;
const AIM = 0.8;
const BYTES_PER_TOKEN = 4;

export async function prefixShare(): Promise<Row[]> {
  const model = scriptedModel(turnOf);
  await runOf({ instructions: INSTRUCTIONS, model });
  const sizes = model.requests.map((request) => serialised(request).length);
  let shared = 0;
  let sent = 0;
  model.requests.forEach((request, index) => {
    const before = model.requests[index - 1];
    if (!before || positionOf(before).instruction !== positionOf(request).instruction) return;
    shared += commonPrefix(serialised(before), serialised(request));
    sent += serialised(request).length;
  });
  const share = shared / sent;
  const perTurn = sizes.reduce((sum, size) => sum + size, 0) / sizes.length / BYTES_PER_TOKEN;
  return [
    {
      what: `prompt tokens per turn (mean of ${sizes.length}, four bytes a token)`,
      figure: perTurn.toFixed(0),
      aim: "",
    },
    {
      what: "… share that is a prefix of the request before",
      figure: `${(share * 100).toFixed(1)} %`,
      aim: "≥ 80 %",
      reached: share >= AIM,
    },
  ];
}

/** In the order in which providers see it: tools first. */
const serialised = ({ tools, messages }: ModelRequest): string => JSON.stringify(tools) + JSON.stringify(messages);

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** A module and its test, written, read, edited: sizes as in the rehearsals. */
function turnOf(request: ModelRequest): ScriptedTurn {
  const { instruction, answers } = positionOf(request);
  const path = `src/module-${instruction}-${answers}.js`;
  if (answers >= TURNS) return { call: ["complete_instruction", { summary: "done" }] };
  if (answers % 3 === 0)
    return {
      call: ["write_files", { files: [{ path, content: `export const value = ${answers};\n`.repeat(30) }] }],
    };
  const written = `src/module-${instruction}-${answers - (answers % 3)}.js`;
  return answers % 3 === 1
    ? { call: ["read_files", { files: [written] }] }
    : { call: ["run_checks", { paths: [written] }] };
}
