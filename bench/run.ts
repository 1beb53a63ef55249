/**
 * Measures the machine itself: model and evaluator take no time, registry and files are on disk; and the evaluator by
 * itself, and the page. Prints a table.
 */
import { boundHeap } from "../lib/host/bound-heap.ts";
import { type Row, tableOf } from "./table.ts";

/** Each is loaded when it is measured: what others load would count as memory of the first ones. */
const parts: Record<string, () => Promise<Row[]>> = {
  overhead: async () => (await import("./overhead.ts")).overhead(),
  tree: async () => (await import("./large-tree.ts")).largeTree(),
  flat: async () => (await import("./flat.ts")).flat(),
  prefix: async () => (await import("./prefix.ts")).prefixShare(),
  prompts: async () => (await import("./prompts.ts")).prompts(),
  window: async () => (await import("./window.ts")).largerThanWindow(),
  start: async () => (await import("./start-up.ts")).startUp(),
  submission: async () => (await import("./submission.ts")).submission(),
  lanes: async () => (await import("./lanes/lanes.ts")).lanes(),
  "lane-speed": async () => (await import("./lanes/lanes.ts")).laneSpeed(),
  make: async () => (await import("./make.ts")).make(),
  "lane-cost": async () => (await import("./lanes/lane-cost.ts")).laneCost(),
  "lane-memory": async () => (await import("./lanes/lane-cost.ts")).laneMemory(),
  functions: async () => (await import("./functions.ts")).functions(),
  evaluator: async () => (await import("./evaluator.ts")).evaluator(),
  checks: async () => (await import("./checks.ts")).checks(),
  cost: async () => (await import("./cost.ts")).cost(),
  scale: async () => (await import("./scale/scale.ts")).scale(),
  page: async () => (await import("./page.ts")).page(),
  pictures: async () => (await import("./pictures.ts")).pictures(),
  house: async () => (await import("./house.ts")).house(),
};

/** It takes long: only where it is named. */
const named = new Set(["scale"]);
/** Takes minutes: in no group. */
const apart = new Set(["scale", "lane-memory"]);

/** Their figures are the same on a busy machine; those of the others are times. `counted` and `timed` name them all. */
const COUNTED = ["prefix", "prompts", "window", "cost", "house", "lanes", "make"];
const groups: Record<string, string[]> = {
  counted: COUNTED,
  timed: Object.keys(parts).filter((name) => !COUNTED.includes(name) && !apart.has(name)),
};

// As the command does.
boundHeap();
const wanted = process.argv.slice(2).flatMap((word) => groups[word] ?? [word]);
const unknown = wanted.filter((name) => !parts[name]);
if (unknown.length > 0) throw new Error(`There is no measurement ${unknown.join(", ")}.`);
const rows: Row[] = [];
let isBroken = false;
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 ? !wanted.includes(name) : named.has(name)) continue;
  process.stderr.write(`measuring ${name} …\n`);
  const measured = await measure();
  rows.push(...measured);
  if (name === "house" && measured.some(({ reached }) => reached === false)) isBroken = true;
}
console.log(tableOf(rows));
const missed = rows.filter((row) => row.reached === false);
console.log(
  missed.length === 0
    ? "Every figure is within its aim."
    : `Not reached: ${missed.map((row) => `${row.what} (${row.figure}, aim ${row.aim})`).join("; ")}.`,
);
// The numbers of the house only fall. What else is measured is printed, and judged by who reads it.
process.exitCode = isBroken ? 1 : 0;
