/** Attempts of the first lane that time out one after the other, and go on when their run has been given up, resumed, or has ended. */
import { type Chance, createChance } from "../chance.ts";
import { type Broken, counted, type Experiment, isShown } from "../experiment.ts";
import { drawFault, type Extent, type Fault } from "../fault.ts";
import { definitionFor } from "../histories.ts";
import { playHistory } from "../history.ts";
import { problemsOfLanes } from "./lane-histories.ts";
import { hashOfSteps } from "./lane-program.ts";
import { seededLaneSteps } from "./schedules.ts";

const HISTORIES = 400;
const QUICK_HISTORIES = 12;
const INSTRUCTIONS = 4;
const SPREAD = 6_101;
const FEW_LOOPS = 2;

/** An invocation ends before it, and what it had begun lives on. */
const LATE_MINUTES = 15;
/** The state machine gives a state up after so many. */
const ATTEMPTS = 4;

export const stallLanes: Experiment = async (asked) => {
  const { quick, from, seeds: count = quick ? QUICK_HISTORIES : HISTORIES, say } = asked;
  const broken: Broken[] = [];
  const total = { stalled: 0, resumes: 0, extra: 0 };
  for (let seed = from; seed < from + count && !isShown(broken, asked); seed += 1) {
    const steps = seededLaneSteps(seed, INSTRUCTIONS);
    const lanes = { parallel: 2 + (seed % 3), steps };
    const setting = { seed, instructions: steps.length, lanes, replay: true };
    const plain = await playHistory({ ...setting, definition: definitionFor(undefined), faults: [], zombies: false });
    const chance = createChance(seed * SPREAD);
    const faults = drawStalls(chance, plain);
    const loopLimit = chance.between(1, 3) === 1 ? FEW_LOOPS : undefined;
    const history = await playHistory({ ...setting, definition: definitionFor(loopLimit), faults });
    const where = `seed ${seed}: ${lanes.parallel} lanes, ${JSON.stringify({ loopLimit, faults })}`;
    const found = problemsOfLanes(history, plain, { faults, expected: hashOfSteps(steps), lanes: lanes.parallel });
    broken.push(...found.map((each) => ({ ...each, where })));
    total.stalled += history.stalled;
    total.resumes += history.resumes;
    total.extra += history.asked - plain.asked;
    if ((seed - from + 1) % 100 === 0) say(`  history ${seed - from + 1} of ${count}`);
  }
  return {
    broken,
    rows: [
      {
        what: `attempts of the first of 2 to 4 lanes that timed out and went on later, seeds ${from} to ${from + count - 1}`,
        figure: `${counted(total.stalled)}, the run given up and resumed ${counted(total.resumes)} times`,
        aim: "no invariant broken",
        reached: broken.length === 0 && total.resumes > 0,
      },
      {
        what: "… model calls beyond the undisturbed number",
        figure: counted(total.extra),
        aim: "≤ 1 an attempt",
        reached: broken.length === 0,
      },
    ],
  };
};

/** As many as the state machine tries, or some more or less, each at another call; now and then something else happens too. */
function drawStalls(chance: Chance, plain: Extent): Fault[] {
  const attempts = Array.from({ length: chance.between(ATTEMPTS - 2, ATTEMPTS + 2) }, () => ({
    call: chance.between(1, 16),
    minutes: chance.between(LATE_MINUTES, 90),
  }));
  const stall: Fault = { kind: "stall", invocation: chance.between(1, 1 + INSTRUCTIONS), attempts };
  return chance.between(1, 3) === 1 ? [stall, drawFault(chance, plain)] : [stall];
}
