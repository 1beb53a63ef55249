/** Many runs at once on the limited table, in virtual time: a seed repeats exactly. */
import { createRegistry } from "../../lib/registry/registry.ts";
import { createChance } from "../../test/faults/chance.ts";
import { createEventClock } from "./event-clock.ts";
import { createLimitedTable } from "./limited-table.ts";
import { computeRun } from "./scripted-run.ts";

export interface Load {
  runs: number;
  minutes: number;
  dailyMicroUsd?: number;
  /** How the runs are named. */
  idOf?: (index: number) => string;
}

const START = Date.parse("2026-03-01T10:00:00Z");
const SWEEP_MS = 300_000;
/** Runs do not all begin in the same second. */
const BEGIN_MS = 180_000;

export type Simulated = Awaited<ReturnType<typeof simulate>>;

export async function simulate({ runs, minutes, dailyMicroUsd, idOf = (index) => `01SCALE${index}` }: Load) {
  const clock = createEventClock(START);
  const random = createChance(1).share;
  const { table, counts, capacity } = createLimitedTable({ clock, random });
  const registry = createRegistry({ table, clock });
  const until = START + minutes * 60_000;
  const ceiling = dailyMicroUsd === undefined ? {} : { dailyMicroUsd };
  const computed = await Promise.all([
    ...Array.from({ length: runs }, async (_, index) => {
      await clock.sleep(random() * BEGIN_MS);
      const scripted = { id: idOf(index), registry, clock, random, until, ...ceiling };
      return computeRun(scripted).catch(() => "failed" as const);
    }),
    sweep(),
  ]);
  async function sweep(): Promise<number> {
    while (clock.now() < until) {
      await clock.sleep(SWEEP_MS);
      const upTo = new Date(clock.now()).toISOString();
      const overdue = await registry.overdue({ upTo, limit: runs });
      if (overdue.length > 0 && clock.now() < until) throw new Error(`${overdue.length} runs are overdue.`);
    }
    return 0;
  }
  const turns = computed.reduce<number>((sum, each) => sum + (each === "failed" ? 0 : each), 0);
  return {
    ...{ runs, minutes, turns },
    failed: computed.filter((each) => each === "failed").length,
    ...counts,
    unitsPerTurn: Math.round((10 * capacity.total()) / turns) / 10,
    peaks: { table: capacity.peak("table"), due: capacity.peak("due"), owner: capacity.peak("owner") },
  };
}
