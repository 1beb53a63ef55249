/** Prints the most memory, in MB, that a run with so many lanes takes: a process of its own, so that nothing else counts. */
import { boundHeap } from "../../lib/host/bound-heap.ts";
import { timed } from "../overhead.ts";
import { runWith } from "./lane-cost.ts";

const [lanes = "1", instructions = "1000"] = process.argv.slice(2);
// As the command does.
boundHeap();
let peak = 0;
await runWith(
  Number(lanes),
  Number(instructions),
  timed([], () => (peak = Math.max(peak, process.memoryUsage().rss))),
);
console.log((peak / 1024 / 1024).toFixed(0));
