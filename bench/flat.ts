/** Whether a turn with its gate costs the same in a large tree: processor time, with the evaluator of this computer. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openEvaluator } from "../lib/sandbox/open-evaluator.ts";
import { computed, submissionOf } from "./machine.ts";
import { positionOf, type ScriptedTurn, scriptedModel } from "./scripted-model.ts";
import { median, milliseconds, type Row } from "./table.ts";

const SMALL = 500;
const LARGE = 5_000;
const INSTRUCTIONS = 10;
/** The first ones lay the tree out and warm the compiler. */
const WARM_UP = 3;
/** As long as a model takes: what was written this long ago need not be read again. */
const MODEL_MS = 2_500;
const AIM_RATIO = 1.2;

export async function flat(): Promise<Row[]> {
  await costIn(SMALL, WARM_UP);
  const small = await costIn(SMALL);
  const large = await costIn(LARGE);
  const ratio = large / small;
  return [
    {
      what: `processor time of a turn with its gate in ${SMALL} files (median)`,
      figure: milliseconds(small),
      aim: "–",
    },
    {
      what: `… in ${LARGE.toLocaleString("en")} files`,
      figure: `${milliseconds(large)}, ${ratio.toFixed(2)} times`,
      ...{ aim: `≤ ${AIM_RATIO} times`, reached: ratio <= AIM_RATIO },
    },
  ];
}

/** Of the process and of what it started and waited for. */
async function costIn(files: number, instructions = INSTRUCTIONS): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), "l2mac-bench-"));
  const { evaluator } = openEvaluator({ home, env: process.env, announce: () => {} });
  const costs: number[] = [];
  let before: number | undefined;
  const inner = scriptedModel(turnOf);
  const submission = await submissionOf(instructions);
  try {
    await computed({
      submission: { ...submission, from: textFiles(files), options: { ...submission.options, from: true } },
      evaluator,
      model: {
        async ask(request) {
          const { instruction, answers } = positionOf(request);
          // Of both turns of the instruction before: what the gate at its end does is over.
          if (answers === 0) {
            if (instruction === WARM_UP) await setTimeout(MODEL_MS);
            const now = processorMs();
            if (before !== undefined && instruction > WARM_UP) costs.push(now - before);
            before = now;
          }
          return inner.ask(request);
        },
      },
    });
    return median(costs) / 2;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

const STAT = "/proc/self/stat";
/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

/** Of those that ended; where the system does not say it, none. */
function childrenMs(): number {
  if (!existsSync(STAT)) return 0;
  // After the name in parentheses; fields 16 and 17 of proc(5).
  const fields = readFileSync(STAT, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Twenty files, as in the trees that grow large. */
function turnOf(request: Parameters<typeof positionOf>[0]): ScriptedTurn {
  const { instruction, answers } = positionOf(request);
  if (answers > 0) return { call: ["complete_instruction", { summary: `part ${instruction} is there` }] };
  const files = Array.from({ length: 20 }, (_, index) => {
    const path = `new/part-${instruction}/file-${index}.txt`;
    return { path, content: `${path}\n`.repeat(20) };
  });
  return { call: ["write_files", { files }] };
}

function textFiles(count: number): Map<string, Uint8Array> {
  const encoder = new TextEncoder();
  return new Map(
    Array.from({ length: count }, (_, index) => [
      `old/${index % 100}/file-${index}.txt`,
      encoder.encode(`${index} ${index * 7}\n`.repeat(20)),
    ]),
  );
}
