/** What lanes cost beside model and evaluator: processor time of a turn, and memory. Registry and files are on disk. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Model } from "../../lib/core/ports.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import { computed, submissionOf } from "../machine.ts";
import { timed } from "../overhead.ts";
import { median, milliseconds, type Row } from "../table.ts";
import { independentParts } from "./lane-machine.ts";

const LANES = 4;
const SHORT = 60;
const ROUNDS = 3;
const AIM_RATIO = 1.3;
const LARGE = 1_000;
/** Lanes, and the most memory in MB. */
const MEMORY = [
  [1, 300],
  [8, 400],
] as const;
const run = promisify(execFile);
const script = fileURLToPath(new URL("peak-memory.ts", import.meta.url));

export async function laneCost(): Promise<Row[]> {
  // A first run warms the compiler.
  await costOf(1);
  const ratios: number[] = [];
  let last = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await costOf(1);
    last = await costOf(LANES);
    ratios.push(last / one);
  }
  const ratio = median(ratios);
  return [
    {
      what: `processor time of a turn with ${LANES} lanes, ${SHORT} instructions`,
      figure: milliseconds(last),
      aim: "",
    },
    {
      what: "… with one lane : 1",
      figure: ratio.toFixed(2),
      aim: `≤ ${AIM_RATIO}`,
      reached: ratio <= AIM_RATIO,
    },
  ];
}

/** Of all turns of a run, what is between them included. */
async function costOf(parallel: number): Promise<number> {
  const before = process.cpuUsage();
  const turns = await runWith(
    parallel,
    SHORT,
    timed([], () => {}),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / turns;
}

export async function runWith(parallel: number, instructions: number, model: Model): Promise<number> {
  const draft = draftFromData({
    instructions: independentParts(instructions).map((part, index) => ({ title: `Part ${index + 1}`, ...part })),
  });
  if ("problem" in draft) throw new Error(draft.problem);
  const whole = await submissionOf(instructions);
  const submission = { ...whole, program: draft, options: { ...whole.options, parallel } };
  const { turns } = await computed({ submission, model });
  return turns;
}

export async function laneMemory(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [lanes, aim] of MEMORY) {
    const words = ["--disable-warning=ExperimentalWarning", script, String(lanes), String(LARGE)];
    const { stdout } = await run(process.execPath, words);
    const mb = Number(stdout);
    rows.push({
      what: `resident memory at most, ${LARGE} instructions with 2,000 files, lanes: ${lanes}`,
      figure: `${mb} MB`,
      aim: `≤ ${aim} MB`,
      reached: mb <= aim,
    });
  }
  return rows;
}
