/**
 * Ends the command if its main thread stands still: then it hears no signal, no cancellation and no limit. Texts that
 * others wrote are read in linear time; this is for the text of which that is not true.
 */
import { Worker } from "node:worker_threads";

const BEAT_MS = 250;
/** Far longer than the largest book takes, and than several waits for a locked registry. Looks are counted, not time: a computer that slept is not taken for one that hangs. */
const PATIENCE: Patience = { looks: 240, lookMs: 500 };

interface Patience {
  looks: number;
  lookMs: number;
}

const MESSAGE = `
l2mac: the process stood still and was ended: a text took too long to read. What is stored is kept.
Next: l2mac list   (shows it; please report the run's last file or answer)
`;

const BODY = `
const { workerData: { beats, looks, lookMs, message } } = require("node:worker_threads");
const pause = new Int32Array(new SharedArrayBuffer(4));
for (let last = -1, still = 0; still < looks; ) {
  Atomics.wait(pause, 0, 0, lookMs);
  const beat = Atomics.load(beats, 0);
  still = beat === last ? still + 1 : 0;
  last = beat;
}
require("node:fs").writeSync(2, message);
process.kill(process.pid, "SIGKILL");
`;

/** Answers what ends the watch. */
export function watchForStall({ looks, lookMs }: Patience = PATIENCE): () => void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const beating = setInterval(() => Atomics.add(beats, 0, 1), Math.min(BEAT_MS, lookMs / 2));
  beating.unref();
  const worker = new Worker(BODY, {
    eval: true,
    execArgv: [],
    workerData: { beats, looks, lookMs, message: MESSAGE },
  });
  worker.unref();
  // Without a thread to spare, the command is not watched.
  worker.on("error", () => {});
  return () => {
    clearInterval(beating);
    void worker.terminate();
  };
}
