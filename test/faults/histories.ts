/** Histories drawn by chance: runs with up to five faults each, of every kind, and the invariants after each. */
import { projectDefinition } from "../../lib/local/project-definition.ts";
import { sameEnd } from "./boundaries.ts";
import { createChance } from "./chance.ts";
import { type Broken, counted, type Experiment, isShown, numbersOf } from "./experiment.ts";
import { costOf, drawFault, type Extent, type Fault } from "./fault.ts";
import { type Asked, type History, playHistory } from "./history.ts";

const HISTORIES = 2_000;
const QUICK_HISTORIES = 300;
const INSTRUCTIONS = 3;
const MOST_FAULTS = 5;
/** Spreads neighbouring seeds. */
const SPREAD = 7_919;
/** In hundredths of a dollar: one to three calls find room at a time, and a run may have to be resumed with more. */
const TIGHT = [4, 10] as const;
/** So that a run of three instructions goes through several executions. */
const FEW_LOOPS = 2;

export const seededHistories: Experiment = async (asked) => {
  const { quick, seeds, from, say } = asked;
  const count = seeds ?? (quick ? QUICK_HISTORIES : HISTORIES);
  const setting = { instructions: INSTRUCTIONS, definition: many, replay: true };
  const plain = await playHistory({ ...setting, seed: 1, faults: [] });
  const broken: Broken[] = [];
  const total = { faults: 0, kills: 0, extra: 0, resumes: 0 };
  const played = numbersOf(asked, from, from + count - 1);
  for (const seed of played) {
    if (isShown(broken, asked)) break;
    const drawn = drawDisturbance(seed, plain);
    const { loopLimit, ...disturbed } = drawn;
    const history = await playHistory({ ...setting, ...disturbed, definition: definitionFor(loopLimit), seed });
    broken.push(
      ...problemsOf(history, plain, drawn.faults).map((each) => ({ ...each, where: drawnText(seed, drawn) })),
    );
    total.faults += drawn.faults.length;
    total.kills += history.kills;
    total.extra += history.asked - plain.asked;
    total.resumes += history.resumes;
    if ((seed - from + 1) % 200 === 0) say(`  history ${seed - from + 1} of ${count}`);
  }
  return {
    broken,
    rows: [
      {
        what: `histories with up to ${MOST_FAULTS} faults, seeds ${from} to ${from + count - 1}`,
        figure: `${counted(played.length)} with ${counted(total.faults)} faults, ${counted(total.kills)} of them kills`,
        aim: "no invariant broken",
        reached: broken.length === 0,
      },
      {
        what: "… model calls beyond the undisturbed number",
        figure: `${counted(total.extra)}, resumed by a person ${counted(total.resumes)} times`,
        aim: "≤ what each fault may cost",
        reached: broken.length === 0,
      },
    ],
  };
};

const many = projectDefinition();
const few = projectDefinition(FEW_LOOPS);
export const definitionFor = (loopLimit: number | undefined) => (loopLimit === undefined ? many : few);

export type Drawn = Pick<Asked, "faults" | "usd" | "approvedAfterHours"> & { loopLimit?: number };

export function drawDisturbance(seed: number, extent: Extent): Drawn {
  const chance = createChance(seed * SPREAD);
  const faults = Array.from({ length: chance.between(1, MOST_FAULTS) }, () => drawFault(chance, extent));
  return {
    faults,
    ...(chance.between(1, 5) === 1 ? { usd: chance.between(...TIGHT) / 100 } : {}),
    ...(chance.between(1, 5) === 1 ? { approvedAfterHours: chance.between(0, 3) } : {}),
    ...(chance.between(1, 2) === 1 ? { loopLimit: FEW_LOOPS } : {}),
  };
}

function problemsOf(history: History, plain: History, faults: Fault[]) {
  const allowed = faults.reduce((sum, fault) => sum + costOf(fault), 0);
  const more = history.asked - plain.asked;
  const dear =
    more <= allowed
      ? []
      : [{ invariant: "I1", what: `${more} more calls of the model; the faults may cost ${allowed}` }];
  return [...history.problems, ...sameEnd(history, plain), ...dear];
}

export const drawnText = (seed: number, { faults, ...setting }: Drawn): string =>
  [`seed ${seed}:`, JSON.stringify(setting), ...faults.map((fault) => JSON.stringify(fault))].join(" ");
