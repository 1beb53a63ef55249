/** What a turn costs beside model and evaluator: at the tenth and at the thousandth instruction of one run. */
import { performance } from "node:perf_hooks";
import type { Model, ModelRequest } from "../lib/core/ports.ts";
import { runOf } from "./machine.ts";
import { positionOf, type ScriptedTurn, scriptedModel } from "./scripted-model.ts";
import { median, milliseconds, type Row } from "./table.ts";

const INSTRUCTIONS = 1_000;
const FILES_EACH = 2;
const AROUND = 8;
const WARM_UP = 100;

const AIM_MS = 5;
const AIM_RATIO = 1.2;
const AIM_MB = 300;

export interface Sample {
  instruction: number;
  /** From one call of the model to the next. */
  ms: number;
  /** The time holds the end of an instruction: its pack, its view, the next one's opening. */
  accepting: boolean;
}

export async function overhead(): Promise<Row[]> {
  const samples: Sample[] = [];
  let peak = 0;
  // A first, short run warms the compiler, so that the tenth instruction is not compared cold.
  await runOf({ instructions: WARM_UP, model: timed([], () => 0) });
  await runOf({
    instructions: INSTRUCTIONS,
    model: timed(samples, () => (peak = Math.max(peak, process.memoryUsage().rss))),
  });
  const early = turnsAround(samples, 10);
  const late = turnsAround(samples, INSTRUCTIONS - AROUND);
  const accepting = (at: number) =>
    median(
      around(samples, at)
        .filter((sample) => sample.accepting)
        .map((sample) => sample.ms),
    );
  const ratio = late / early;
  const mb = peak / 1024 / 1024;
  return [
    {
      what: "overhead of a turn at instruction 10 (median)",
      figure: milliseconds(early),
      aim: `≤ ${AIM_MS} ms`,
      reached: early <= AIM_MS,
    },
    {
      what: "overhead of a turn at instruction 1,000 (median)",
      figure: milliseconds(late),
      aim: `≤ ${AIM_MS} ms`,
      reached: late <= AIM_MS,
    },
    { what: "… ratio 1,000 : 10", figure: ratio.toFixed(2), aim: `≤ ${AIM_RATIO}`, reached: ratio <= AIM_RATIO },
    {
      what: "end of an instruction: pack, view, opening, at 10",
      figure: milliseconds(accepting(10)),
      aim: "bounded by the tree",
    },
    {
      what: "… at 1,000, with 2,000 files",
      figure: milliseconds(accepting(INSTRUCTIONS - AROUND)),
      aim: "bounded by the tree",
    },
    {
      what: "resident memory at most, 1,000 instructions",
      figure: `${mb.toFixed(0)} MB`,
      aim: `≤ ${AIM_MB} MB`,
      reached: mb <= AIM_MB,
    },
  ];
}

const around = (samples: Sample[], at: number): Sample[] =>
  samples.filter((sample) => Math.abs(sample.instruction - at) <= AROUND);
const turnsAround = (samples: Sample[], at: number): number =>
  median(
    around(samples, at)
      .filter((sample) => !sample.accepting)
      .map((sample) => sample.ms),
  );

/** Measures from the moment it has answered to the moment it is asked again. */
export function timed(samples: Sample[], tick: () => void): Model {
  let answeredAt = performance.now();
  let before = 0;
  const inner = scriptedModel((request) => turnOf(request));
  return {
    async ask(request) {
      const { instruction } = positionOf(request);
      samples.push({ instruction, ms: performance.now() - answeredAt, accepting: instruction !== before });
      before = instruction;
      tick();
      inner.requests.length = 0;
      const answer = await inner.ask(request);
      answeredAt = performance.now();
      return answer;
    },
  };
}

/** Four turns: list, write two files, edit one, complete. */
function turnOf(request: ModelRequest): ScriptedTurn {
  const { instruction, answers } = positionOf(request);
  const paths = Array.from({ length: FILES_EACH }, (_, index) => `src/part-${instruction}/file-${index}.txt`);
  if (answers === 0) return { call: ["list_files", { prefix: `src/part-${instruction - 1}/` }] };
  if (answers === 1)
    return { call: ["write_files", { files: paths.map((path) => ({ path, content: `${path}\n`.repeat(20) })) }] };
  if (answers === 2) return { call: ["read_files", { files: paths }] };
  return { call: ["complete_instruction", { summary: `part ${instruction} is there` }] };
}
