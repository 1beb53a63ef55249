/** A thread that mutates texts of one reader after the other, and keeps those that took longest. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { type Chance, chanceOf, HEAD, MOST, mutated } from "./mutate.ts";
import type { Reader } from "./reader.ts";
import { READERS } from "./readers.ts";

export interface Search {
  readers: string[];
  seed: number;
  sliceMs: number;
  shared: SharedArrayBuffer;
}

/** After each slice of time. */
export interface Slice {
  reader: string;
  reads: number;
  slowestMs: number;
  /** The text that took so long, or that crashed it. */
  text: string;
  crash?: string;
  /** Bytes that the thread holds after garbage is collected, without the texts kept here. Measured now and then. */
  held?: number;
}

interface Kept {
  text: string;
  took: number;
}

const KEPT = 12;
/** Below this a text is not slow, and is not read again to be sure. */
const SLOW_MS = 20;

const { readers, seed, sliceMs, shared } = workerData as Search;
const head = new Int32Array(shared, 0, HEAD);
const body = new Uint16Array(shared, HEAD * 4);

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** In milliseconds of this thread's own: others may keep the machine busy. The lesser of two, for memory is cleared between. */
async function timed(read: Reader["read"], text: string): Promise<number> {
  for (let at = 0; at < text.length; at += 1) body[at] = text.charCodeAt(at);
  head[2] = text.length;
  Atomics.add(head, 0, 1);
  const once = async (): Promise<number> => {
    const start = cpuMs();
    const result = read(text);
    // What never settles would hold the text for ever.
    if (result instanceof Promise) await result;
    return cpuMs() - start;
  };
  const first = await once();
  return first < SLOW_MS ? first : Math.min(first, await once());
}

/** Mutates for a slice of time; changes the pool. */
async function searched({ read, most = MOST }: Reader, pool: Kept[], chance: Chance): Promise<void> {
  const pick = (): string => pool[chance(pool.length)]?.text ?? "";
  for (const until = performance.now() + sliceMs; performance.now() < until; ) {
    const text = mutated(pick(), pick(), chance).slice(0, Math.min(most, MOST));
    // Copied, or else it holds all that it was made of.
    const copy = Buffer.from(text, "utf16le").toString("utf16le");
    pool.push({ text: copy, took: await timed(read, copy) });
    if (pool.length > KEPT * 4) thin(pool, chance);
  }
  // The texts of all readers are kept at once, and must stay far below what the thread may hold.
  thin(pool, chance);
}

/** Leaves the slow ones, and a few by chance: the slow ones alone look alike. */
function thin(pool: Kept[], chance: Chance): void {
  pool.sort((one, other) => other.took - one.took);
  pool.splice(KEPT, pool.length, ...pool.slice(KEPT).filter(() => chance(8) === 0));
}

async function slice(name: string, pool: Kept[], chance: Chance): Promise<Slice> {
  const reader = READERS[name] ?? { read: () => undefined, seeds: [""] };
  const before = head[0] ?? 0;
  let crash: string | undefined;
  try {
    if (pool.length === 0) for (const text of reader.seeds) pool.push({ text, took: await timed(reader.read, text) });
    await searched(reader, pool, chance);
  } catch (error) {
    crash = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  }
  const [slowest] = pool.toSorted((one, other) => other.took - one.took);
  const found = { reader: name, reads: (head[0] ?? 0) - before, slowestMs: slowest?.took ?? 0 };
  const crashing = (): string => Buffer.from(shared, HEAD * 4, 2 * (head[2] ?? 0)).toString("utf16le");
  return crash ? { ...found, text: crashing(), crash } : { ...found, text: slowest?.text ?? "" };
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const texts = [...pools.values()].flat().reduce((sum, { text }) => sum + 2 * text.length, 0);
  return heapUsed + external - texts;
}

const pools = new Map(readers.map((name): [string, Kept[]] => [name, []]));
const chance = chanceOf(seed);
for (;;) {
  for (const [at, name] of readers.entries()) {
    head[1] = at;
    const found = await slice(name, pools.get(name) ?? [], chance);
    const isLast = at === readers.length - 1;
    parentPort?.postMessage(isLast ? { ...found, held: heldBytes() } : found);
    if (found.crash || found.slowestMs > 1_000) pools.set(name, []);
  }
}
