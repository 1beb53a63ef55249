/**
 * Measures the machine itself: model and evaluator take no time, registry and files are on disk; and the evaluator by
 * itself, and the page. Prints a table.
 */
import { boundHeap } from "../lib/host/bound-heap.ts";
import { checks } from "./checks.ts";
import { cost } from "./cost.ts";
import { evaluator } from "./evaluator.ts";
import { functions } from "./functions.ts";
import { house } from "./house.ts";
import { laneCost, laneMemory } from "./lanes/lane-cost.ts";
import { laneSpeed, lanes } from "./lanes/lanes.ts";
import { largeTree } from "./large-tree.ts";
import { make } from "./make.ts";
import { overhead } from "./overhead.ts";
import { page } from "./page.ts";
import { pictures } from "./pictures.ts";
import { prefixShare } from "./prefix.ts";
import { prompts } from "./prompts.ts";
import { scale } from "./scale/scale.ts";
import { startUp } from "./start-up.ts";
import { submission } from "./submission.ts";
import { type Row, tableOf } from "./table.ts";
import { largerThanWindow } from "./window.ts";

const parts: Record<string, () => Promise<Row[]>> = {
  overhead,
  tree: largeTree,
  prefix: prefixShare,
  prompts,
  window: largerThanWindow,
  start: startUp,
  submission,
  lanes,
  "lane-speed": laneSpeed,
  make,
  "lane-cost": laneCost,
  "lane-memory": laneMemory,
  functions,
  evaluator,
  checks,
  cost,
  scale,
  page,
  pictures,
  house,
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
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 ? !wanted.includes(name) : named.has(name)) continue;
  process.stderr.write(`measuring ${name} …\n`);
  rows.push(...(await measure()));
}
console.log(tableOf(rows));
const missed = rows.filter((row) => row.reached === false);
console.log(
  missed.length === 0
    ? "Every figure is within its aim."
    : `Not reached: ${missed.map((row) => `${row.what} (${row.figure}, aim ${row.aim})`).join("; ")}.`,
);
