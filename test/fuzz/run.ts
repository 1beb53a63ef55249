/** `npm run fuzz -- --seconds N --seed N`: searches for texts that crash a reader, hold it over a second, or fill the memory. */
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { codeOf } from "../../lib/host/storage-errors.ts";
import { HEAD } from "./mutate.ts";
import { READERS } from "./readers.ts";
import type { Search, Slice } from "./search.ts";

const HANG_MS = 1_000;
/** Of processor time: what never ends is found out so, also on a machine with other work. */
const ENDLESS_MS = 5_000;
const SLICE_MS = 500;
const GROWTH_MIB = 200;
/** What a thread takes that reads one text. */
const OWN_MIB = 50;
/** What the texts take that the search keeps of all readers, and what it made of them and has not collected yet. */
const KEPT_MIB = 400;
const MOST_CHARACTERS = 256 * 1024;
const FULL = "ERR_WORKER_OUT_OF_MEMORY";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    seed: { type: "string", default: "1" },
    /** Names of readers, with commas. Empty: all. */
    only: { type: "string", default: "" },
    folder: { type: "string", default: join(tmpdir(), "l2mac-fuzz") },
  },
});

const names = Object.keys(READERS).filter((name) => values.only === "" || values.only.split(",").includes(name));
const totals = new Map(names.map((name) => [name, { reads: 0, slowestMs: 0 }]));
let findings = 0;
let mostResident = process.memoryUsage().rss;
/** After the first round through all readers, and the most after any other. */
let held: { first: number; most: number } | undefined;

function report(reader: string, what: string, text: string): void {
  findings += 1;
  mkdirSync(values.folder, { recursive: true });
  const path = join(values.folder, `${reader.replaceAll(/\W/g, "-")}-${findings}.json`);
  writeFileSync(path, JSON.stringify({ reader, text }));
  console.log(`${reader}: ${what.split("\n").slice(0, 4).join(" ")}\n  ${path}`);
}

/** One thread, until time is up or something in it never ends. */
async function search(seed: number, until: number): Promise<void> {
  const shared = new SharedArrayBuffer(HEAD * 4 + 2 * MOST_CHARACTERS);
  const head = new Int32Array(shared, 0, HEAD);
  const textNow = (): string => Buffer.from(shared, HEAD * 4, 2 * (head[2] ?? 0)).toString("utf16le");
  const worker = new Worker(new URL("search.ts", import.meta.url), {
    workerData: { readers: names, seed, sliceMs: SLICE_MS, shared } satisfies Search,
    resourceLimits: { maxOldGenerationSizeMb: GROWTH_MIB + OWN_MIB + KEPT_MIB },
  });
  worker.on("message", take);
  await new Promise<void>((resolve) => {
    const lost = (what: string): void => {
      report(names[head[1] ?? 0] ?? "", what, textNow());
      resolve();
    };
    const broke = async (error: Error): Promise<void> => {
      const [reader, text] = [names[head[1] ?? 0] ?? "", textNow()];
      // The search may have been full of other texts.
      if (codeOf(error) !== FULL || (await fillsMemory(reader, text))) lost(String(error));
      else resolve();
    };
    let [reads, since] = [-1, process.cpuUsage()];
    const watch = setInterval(() => {
      if (performance.now() > until) resolve();
      mostResident = Math.max(mostResident, process.memoryUsage().rss);
      if (head[0] !== reads) [reads, since] = [head[0] ?? 0, process.cpuUsage()];
      else if (reads > 0 && process.cpuUsage(since).user > ENDLESS_MS * 1_000)
        lost(`not read after ${ENDLESS_MS / 1_000} s`);
    }, 100);
    worker.once("error", (error) => void broke(error));
    worker.once("exit", () => clearInterval(watch));
  });
  await worker.terminate();
}

/** Whether the text alone needs more memory than a reader may take. */
async function fillsMemory(reader: string, text: string): Promise<boolean> {
  const worker = new Worker(new URL("read-alone.ts", import.meta.url), {
    workerData: { reader, text },
    resourceLimits: { maxOldGenerationSizeMb: GROWTH_MIB + OWN_MIB },
  });
  return new Promise((resolve) => {
    worker.once("error", (error) => resolve(codeOf(error) === FULL));
    worker.once("exit", () => resolve(false));
  });
}

function take({ reader, reads, slowestMs, text, crash, held: bytes }: Slice): void {
  if (bytes !== undefined) held = { first: held?.first ?? bytes, most: Math.max(held?.most ?? 0, bytes) };
  const total = totals.get(reader) ?? { reads: 0, slowestMs: 0 };
  totals.set(reader, { reads: total.reads + reads, slowestMs: Math.max(total.slowestMs, slowestMs) });
  if (crash) report(reader, crash, text);
  else if (slowestMs > HANG_MS) report(reader, `read in ${Math.round(slowestMs)} ms`, text);
}

const until = performance.now() + Number(values.seconds) * 1_000;
for (let seed = Number(values.seed); performance.now() < until; seed += 1_000) await search(seed, until);
for (const [name, { reads, slowestMs }] of totals)
  console.log(`${name.padEnd(18)} ${String(reads).padStart(9)} texts, the slowest ${Math.round(slowestMs)} ms`);
const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
const grown = held ? mebibytes(held.most - held.first) : 0;
if (grown > GROWTH_MIB) findings += 1;
console.log(`grown by ${grown} MiB at most, of at most ${mebibytes(mostResident)} MiB in use`);
const reads = [...totals.values()].reduce((sum, total) => sum + total.reads, 0);
console.log(`${reads} texts in ${values.seconds} s, seed ${values.seed}: ${findings} findings`);
process.exitCode = findings === 0 ? 0 : 1;
