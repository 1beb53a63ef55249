/** Seeded programs with 1, 2, 4 and 16 lanes, in whatever order their calls return: the files of a plain loop. */
import { projectDefinition } from "../../../lib/local/project-definition.ts";
import { createRandom } from "../../program/seeded-program.ts";
import { type Broken, counted, type Experiment, isShown } from "../experiment.ts";
import { playHistory } from "../history.ts";
import { hashOfSteps, type LaneStep, type Shape, seededSteps } from "./lane-program.ts";

const PROGRAMS = 200;
const QUICK_PROGRAMS = 12;
const LANES = [1, 2, 4, 16];
const INSTRUCTIONS = 8;

export const seededSchedules: Experiment = async (asked) => {
  const { quick, from, seeds: count = quick ? QUICK_PROGRAMS : PROGRAMS, say } = asked;
  const definition = projectDefinition();
  const broken: Broken[] = [];
  const total = { instructions: 0, joined: 0, dropped: 0 };
  for (let seed = from; seed < from + count && !isShown(broken, asked); seed += 1) {
    const steps = seededLaneSteps(seed, INSTRUCTIONS);
    const expected = hashOfSteps(steps);
    for (const parallel of LANES) {
      const lanes = { parallel, steps };
      const setting = { seed, instructions: steps.length, definition, lanes, faults: [], zombies: false };
      const history = await playHistory({ ...setting, replay: parallel > 1 });
      const other =
        history.hash === expected ? [] : [{ invariant: "I16", what: "the files are not those of a plain loop" }];
      const where = `seed ${seed}, ${parallel} lanes`;
      broken.push(...[...history.problems, ...other].map((each) => ({ ...each, where })));
      total.instructions += parallel > 1 ? steps.length : 0;
      total.joined += history.joined;
      total.dropped += history.dropped;
    }
    if ((seed - from + 1) % 50 === 0) say(`  program ${seed - from + 1} of ${count}`);
  }
  const { instructions, joined, dropped } = total;
  return {
    broken,
    rows: [
      {
        what: `programs with ${LANES.join(", ")} lanes, seeds ${from} to ${from + count - 1}: other files than those of a plain loop`,
        figure: counted(new Set(broken.map(({ where }) => where)).size),
        aim: "0",
        reached: broken.length === 0,
      },
      {
        what: "… instructions that joined from a lane, that were executed again, of all",
        figure: `${counted(joined)}, ${counted(dropped)}, ${counted(instructions)}`,
        aim: "some of each",
        reached: joined > 0 && dropped > 0,
      },
    ],
  };
};

const SPREAD = 7_919;

/** From independent ones that never meet to those that all look at each other's files. */
export function seededLaneSteps(seed: number, count: number): LaneStep[] {
  const random = createRandom(seed * SPREAD);
  const shape: Shape = { count, needs: random() * 0.4, conflicts: random() };
  return seededSteps(random, shape);
}
