/** Histories of runs with 1 to 4 lanes, with up to five faults each, and instructions that look at each other's files. */
import { type Broken, counted, type Experiment, isShown, numbersOf } from "../experiment.ts";
import { costOf, type Fault } from "../fault.ts";
import { definitionFor, drawDisturbance, drawnText } from "../histories.ts";
import { type History, playHistory } from "../history.ts";
import { hashOfSteps } from "./lane-program.ts";
import { seededLaneSteps } from "./schedules.ts";

const HISTORIES = 2_000;
const QUICK_HISTORIES = 60;
const INSTRUCTIONS = 5;
const MOST_LANES = 4;
/** To look, to write, to complete, and one that was in flight: what an instruction takes that is executed again. */
const CALLS_OF_INSTRUCTION = 4;

export const laneHistories: Experiment = async (asked) => {
  const { quick, from, seeds: count = quick ? QUICK_HISTORIES : HISTORIES, say } = asked;
  const broken: Broken[] = [];
  const total = { faults: 0, kills: 0, joined: 0, dropped: 0, extra: 0 };
  const played = numbersOf(asked, from, from + count - 1);
  for (const seed of played) {
    if (isShown(broken, asked)) break;
    const steps = seededLaneSteps(seed, INSTRUCTIONS);
    const lanes = { parallel: 1 + (seed % MOST_LANES), steps };
    const setting = { seed, instructions: steps.length, lanes, replay: true };
    const plain = await playHistory({ ...setting, definition: definitionFor(undefined), faults: [], zombies: false });
    const drawn = drawDisturbance(seed, plain);
    const { loopLimit, ...disturbed } = drawn;
    const history = await playHistory({ ...setting, ...disturbed, definition: definitionFor(loopLimit) });
    const where = `${lanes.parallel} lanes, ${drawnText(seed, drawn)}`;
    const expected = hashOfSteps(steps);
    const problems = problemsOfLanes(history, plain, { faults: drawn.faults, expected, lanes: lanes.parallel });
    broken.push(...problems.map((each) => ({ ...each, where })));
    total.faults += drawn.faults.length;
    total.kills += history.kills;
    total.joined += history.joined;
    total.dropped += history.dropped;
    total.extra += history.asked - plain.asked;
    if ((seed - from + 1) % 200 === 0) say(`  history ${seed - from + 1} of ${count}`);
  }
  return {
    broken,
    rows: [
      {
        what: `histories with 1 to ${MOST_LANES} lanes, seeds ${from} to ${from + count - 1}`,
        figure: `${counted(played.length)} with ${counted(total.faults)} faults, ${counted(total.kills)} of them kills`,
        aim: "no invariant broken",
        reached: broken.length === 0,
      },
      {
        what: "… instructions that joined from a lane, and that were executed again",
        figure: `${counted(total.joined)}, ${counted(total.dropped)}`,
        aim: "some of each",
        reached: total.joined > 0 && total.dropped > 0,
      },
      {
        what: "… model calls beyond the undisturbed number",
        figure: counted(total.extra),
        aim: "≤ what each fault and conflict may cost",
        reached: broken.length === 0,
      },
    ],
  };
};

export function problemsOfLanes(
  history: History,
  plain: History,
  { faults, expected, lanes }: { faults: Fault[]; expected: string; lanes: number },
) {
  const again = Math.max(0, history.dropped - plain.dropped) * CALLS_OF_INSTRUCTION;
  const allowed = faults.reduce((sum, fault) => sum + costWithLanes(fault, lanes), again);
  const more = history.asked - plain.asked;
  return [
    ...history.problems,
    ...(history.hash === expected ? [] : [{ invariant: "I16", what: "the files are not those of a plain loop" }]),
    ...(more <= allowed
      ? []
      : [{ invariant: "I1", what: `${more} more calls of the model; faults and conflicts may cost ${allowed}` }]),
  ];
}

/** A cancelled run loses the call in flight of each lane; a lane that is invoked twice, that of each invocation. */
function costWithLanes(fault: Fault, lanes: number): number {
  if (fault.kind === "cancel") return lanes;
  return fault.kind === "duplicate" ? Math.min(lanes, 2) : costOf(fault);
}
