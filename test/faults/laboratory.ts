/** The fault laboratory: plays its experiments, prints their figures, and names what broke. */
import { parseArgs } from "node:util";
import { type Row, tableOf } from "../../bench/table.ts";
import { failEverywhere, killEverywhere } from "./boundaries.ts";
import { sharedDay } from "./daily.ts";
import { gatherEvidence } from "./evidence.ts";
import { type Asked, type Broken, type Experiment, SKIPPED } from "./experiment.ts";
import { seededHistories } from "./histories.ts";
import { laneHistories } from "./lanes/lane-histories.ts";
import { killLanes } from "./lanes/lane-kills.ts";
import { stallLanes } from "./lanes/lane-stalls.ts";
import { seededSchedules } from "./lanes/schedules.ts";
import { longProgram } from "./long-program.ts";
import { seededEdits } from "./makes/make-edits.ts";
import { money } from "./money.ts";
import { mutate } from "./mutate.ts";
import { cutPower } from "./power-cut/power-cut.ts";
import { seededPrograms } from "./programs.ts";
import { rehearsedCloud } from "./rehearsed-cloud.ts";
import { waitADay } from "./waiting.ts";

const EXPERIMENTS: Record<string, Experiment> = {
  boundaries: killEverywhere,
  errors: failEverywhere,
  "power-cut": cutPower,
  histories: seededHistories,
  programs: seededPrograms,
  schedules: seededSchedules,
  "lane-kills": killLanes,
  "lane-histories": laneHistories,
  "lane-stalls": stallLanes,
  makes: seededEdits,
  waiting: waitADay,
  daily: sharedDay,
  money,
  evidence: gatherEvidence,
  long: longProgram,
  cloud: rehearsedCloud,
};

const USAGE = `npm run faults -- [EXPERIMENT …] [--quick] [--seeds N] [--from SEED] [--third K] [--until INVARIANT] | --mutate [MUTATION …]
Experiments: ${Object.keys(EXPERIMENTS).join(", ")}; all, unless some are named.
--seeds N plays N histories (or days, of "daily"), from seed 1 or --from SEED on; --third K plays every third
seed or call, from the Kth of 1 to 3 on.`;

/** Answers the exit code. */
export async function play(words: string[], say: Asked["say"]): Promise<number> {
  const asked = readAsked(words, say);
  if (!asked) {
    say(USAGE);
    return 2;
  }
  if (asked.mutate) return mutate(say, asked.names);
  const rows: Row[] = [];
  const broken: Broken[] = [];
  for (const [name, experiment] of asked.experiments) {
    say(`${name} …`);
    const outcome = await experiment(asked);
    rows.push(...outcome.rows);
    broken.push(...outcome.broken);
  }
  say("");
  say(tableOf(rows));
  return tell(rows, broken, say);
}

function tell(rows: Row[], broken: Broken[], say: Asked["say"]): number {
  for (const { invariant, what, where } of broken.slice(0, LINES_SHOWN)) say(`BROKEN ${invariant}: ${what} (${where})`);
  if (broken.length > LINES_SHOWN) say(`… and ${broken.length - LINES_SHOWN} more.`);
  const missed = rows.filter(({ reached }) => reached === false);
  for (const { what } of rows.filter(({ aim }) => aim === SKIPPED)) say(`Skipped: ${what}.`);
  if (broken.length + missed.length === 0) {
    say("Nothing was lost, nothing was paid twice.");
    return 0;
  }
  const invariants = [...new Set(broken.map(({ invariant }) => invariant))].toSorted();
  say(`Failed${invariants.length > 0 ? `: ${invariants.join(", ")} broken` : ""}.`);
  return 1;
}

const LINES_SHOWN = 20;

function readAsked(words: string[], say: Asked["say"]) {
  try {
    const { values, positionals } = parseArgs({ args: words, options: OPTIONS, allowPositionals: true });
    const seeds = values.seeds === undefined ? undefined : wholeNumber(values.seeds);
    const from = wholeNumber(values.from ?? "1");
    const third = values.third === undefined ? undefined : wholeNumber(values.third);
    if (third !== undefined && third > 3) throw new Error("--third takes 1, 2 or 3.");
    const { quick = false, mutate = false, until } = values;
    if (mutate) return { quick, mutate, until, third, seeds, from, say, names: positionals, experiments: [] };
    const unknown = positionals.filter((name) => !EXPERIMENTS[name]);
    if (unknown.length > 0) throw new Error(`There is no experiment ${unknown.join(", ")}.`);
    const named = positionals.length > 0 || seeds === undefined ? positionals : EXPLORED;
    const experiments = Object.entries(EXPERIMENTS).filter(([name]) => named.length === 0 || named.includes(name));
    return { quick, mutate, until, third, seeds, from, say, names: [], experiments };
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** What seeds lead further into, where nothing else is said. */
const EXPLORED = ["histories"];

const OPTIONS = {
  quick: { type: "boolean" },
  seeds: { type: "string" },
  from: { type: "string" },
  third: { type: "string" },
  until: { type: "string" },
  mutate: { type: "boolean" },
} as const;

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`"${text}" is not a whole number from 1 on.`);
  return Number(text);
}
