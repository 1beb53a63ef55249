/** What a step costs that starts in a small and in a large tree: its time, and what it stores. */
import { fileStoreKeys } from "../lib/registry/keys.ts";
import { computed, submissionOf } from "./machine.ts";
import { type Sample, timed } from "./overhead.ts";
import { median, milliseconds, type Row } from "./table.ts";

const SMALL = 100;
const LARGE = 20_000;
const INSTRUCTIONS = 12;
const AIM_RATIO = 3;

interface StepCost {
  ms: number;
  bytes: number;
}

export async function largeTree(): Promise<Row[]> {
  await costIn(SMALL);
  const small = await costIn(SMALL);
  const large = await costIn(LARGE);
  const ratio = large.bytes / small.bytes;
  return [
    { what: `end of an instruction in ${SMALL} files (median)`, figure: milliseconds(small.ms), aim: "–" },
    { what: `… in ${LARGE.toLocaleString("en")} files`, figure: milliseconds(large.ms), aim: "–" },
    { what: "stored for a step in the small tree", figure: `${(small.bytes / 1024).toFixed(1)} KiB`, aim: "–" },
    {
      what: "… in the large tree",
      figure: `${(large.bytes / 1024).toFixed(1)} KiB`,
      aim: `≤ ${AIM_RATIO} times`,
      reached: ratio <= AIM_RATIO,
    },
  ];
}

async function costIn(files: number): Promise<StepCost> {
  const samples: Sample[] = [];
  const stored: number[] = [];
  const from = new Map(
    Array.from({ length: files }, (_, index) => {
      const text = `export const value${index} = ${index};\n`.repeat(20);
      return [`old/${index % 100}/file-${index}.ts`, new TextEncoder().encode(text)];
    }),
  );
  const submission = await submissionOf(INSTRUCTIONS);
  await computed({
    submission: { ...submission, from, options: { ...submission.options, from: true } },
    model: timed(samples, () => {}),
    async look(machine, run) {
      for (let step = 1; step <= INSTRUCTIONS; step += 1)
        stored.push((await machine.files.get(fileStoreKeys(run.id).changes(step)))?.length ?? 0);
    },
  });
  const ends = samples.filter(({ accepting, instruction }) => accepting && instruction > 2);
  return { ms: median(ends.map(({ ms }) => ms)), bytes: median(stored) };
}
