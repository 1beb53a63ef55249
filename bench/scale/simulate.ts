/** Many runs at once on the limited table, in virtual time, computed by the handlers: a seed repeats exactly. */
import type { Submission } from "../../lib/control/lifecycle/submit.ts";
import type { World } from "../../lib/control/world.ts";
import type { Table } from "../../lib/core/ports.ts";
import { readProjectFont } from "../../lib/files/project-fonts.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
import { createRegistry } from "../../lib/registry/registry.ts";
import { aRun } from "../../test/doubles/runs.ts";
import { createChance } from "../../test/faults/chance.ts";
import { createEventClock } from "./event-clock.ts";
import { createFolders } from "./folders.ts";
import { createLimitedTable } from "./limited-table.ts";
import { createPlayedEvaluator, createPlayedModel } from "./played-model.ts";
import { createPlayedStack } from "./played-stack.ts";

export interface Load {
  /** At once: where one ends, the next begins. */
  runs: number;
  minutes: number;
  dailyUsd?: number;
  /** How the runs are named, by their number. */
  idOf?: (number: number) => string;
}

const START = Date.parse("2026-03-01T10:00:00Z");
const SWEEP_MS = 300_000;
/** Runs do not all begin in the same second. */
const BEGIN_MS = 180_000;

export type Simulated = Awaited<ReturnType<typeof simulate>>;

export async function simulate({ runs, minutes, dailyUsd, idOf = (number) => `01SCALE${number}` }: Load) {
  const clock = createEventClock(START);
  const random = createChance(1).share;
  const { table, counts, capacity, drop, turnsOf } = createLimitedTable({ clock, random });
  const files = createFolders();
  const world = createWorld({ clock, random, files, table, dailyUsd });
  const over = new Map<string, () => void>();
  const stack = createPlayedStack({ world, clock, random, onEnd: (runId) => over.get(runId)?.() });
  const submission = await createSubmission();
  const seen = { begun: 0, completed: 0, failed: 0, repaired: 0 };
  let turns = 0;

  async function keepComputing(): Promise<void> {
    await clock.sleep(random() * BEGIN_MS);
    for (;;) {
      const id = idOf(seen.begun);
      seen.begun += 1;
      const ended = new Promise<void>((resolve) => over.set(id, resolve));
      await stack.commands.submit({ ...submission, id });
      await ended;
      const run = await world.registry.run(id);
      seen[run?.status === "completed" ? "completed" : "failed"] += 1;
      turns += turnsOf(id);
      over.delete(id);
      files.drop(id);
      drop(id);
    }
  }
  async function keepSweeping(): Promise<void> {
    for (;;) {
      await clock.sleep(SWEEP_MS);
      const { started, extended, recorded, failed } = await stack.sweep(() => {});
      seen.repaired += started + extended + recorded + failed;
    }
  }
  const until = START + minutes * 60_000;
  clock.stopAt(until);
  const broken = Promise.all([...Array.from({ length: runs }, keepComputing), keepSweeping()]);
  await Promise.race([clock.sleep(until - START), broken]);
  for (const id of over.keys()) turns += turnsOf(id);
  return {
    ...{ runs, minutes, turns, ...seen, ...counts },
    unitsPerTurn: Math.round((10 * capacity.total()) / turns) / 10,
    peaks: { table: capacity.peak("table"), due: capacity.peak("due"), owner: capacity.peak("owner") },
  };
}

type WorldParts = Pick<World, "clock" | "random" | "files" | "dailyUsd"> & { table: Table };

export function createWorld({ table, ...parts }: WorldParts): World {
  const model = createPlayedModel(parts);
  return {
    ...parts,
    registry: createRegistry({ table, clock: parts.clock }),
    model: async () => model,
    evaluator: createPlayedEvaluator(parts),
    readFont: readProjectFont,
  };
}

async function createSubmission(): Promise<Submission> {
  const { options, profile } = aRun();
  const { [options.domain]: pack } = await builtInPacks();
  return {
    task: "Write a library of small modules, with a page about each.",
    name: "scale",
    owner: "arn:aws:iam::123456789012:role/ci",
    ...{ pack, requirements: [] },
    options: { ...options, reflect: 0 },
    profile: { ...profile, price: { input: 1, output: 5 } },
  };
}
