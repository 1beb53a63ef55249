/** With 2 and 4 lanes, at each call: the process of one lane is killed, or superseded, and the computer with all its lanes is killed. */
import { projectDefinition } from "../../../lib/local/project-definition.ts";
import { type Mortal, throughDeaths } from "../../doubles/deaths.ts";
import { aSubmission, type TestMachine } from "../../doubles/machines.ts";
import { scriptedModel } from "../../doubles/scripted-model.ts";
import { type Broken, counted, type Experiment, isShown, numbersOf } from "../experiment.ts";
import type { Fault, When } from "../fault.ts";
import { type History, playHistory } from "../history.ts";
import { nextOfStep } from "./lane-model.ts";
import { draftOfSteps, hashOfSteps, type LaneStep, partOf } from "./lane-program.ts";

const LANES = [2, 4];
const WHENS: When[] = ["before", "after"];
const INSTRUCTIONS = 6;
const QUICK_INSTRUCTIONS = 4;
const SEED = 1;
/** So that lanes are closed, and executions hand over to the next, on the way. */
const LOOPS = 6;
/** Of the calls of the quick set. */
const QUICK_EVERY = 9;

interface Total {
  struck: number;
  extra: number;
  most: number;
}

export const killLanes: Experiment = async (asked) => {
  const rows = [];
  const broken: Broken[] = [];
  for (const lanes of LANES) {
    for (const strike of [supersedeOneProcess, killOneProcess, killComputer]) {
      const { what, allowed, total, problems } = await strike(lanes, asked);
      broken.push(...problems);
      rows.push(
        {
          what: `${lanes} lanes, ${what} each call: other files, or effects doubled`,
          figure: `${counted(new Set(problems.map(({ where }) => where)).size)} of ${counted(total.struck)}`,
          aim: "0",
          reached: problems.length === 0 && total.struck > 0,
        },
        {
          what: "… model calls beyond the undisturbed number",
          figure: `${counted(total.extra)} in all, at most ${total.most} each time`,
          aim: `≤ ${allowed} each time`,
          reached: total.most <= allowed,
        },
      );
    }
  }
  return { rows, broken };
};

type Killing = (
  lanes: number,
  asked: Parameters<Experiment>[0],
) => Promise<{ what: string; allowed: number; total: Total; problems: Broken[] }>;

/** Of the computer's lanes each may have a call in flight. */
const killComputer: Killing = async (parallel, asked) => {
  const steps = independentSteps(asked.quick);
  const homes: TestMachine[] = [];
  let asks = 0;
  const model = () =>
    scriptedModel((request) => {
      asks += 1;
      return nextOfStep(request);
    });
  const options = { reflect: 0, parallel };
  const submission = await aSubmission({ options, submission: { program: draftOfSteps(steps) } });
  const mortal: Mortal = { submission, model, homes };
  const plain = await throughDeaths(mortal, []);
  const undisturbed = asks;
  const total: Total = { struck: 0, extra: 0, most: 0 };
  const problems: Broken[] = [];
  for (const call of numbersOf(asked, 1, plain.boundaries, asked.quick ? QUICK_EVERY : 1)) {
    if (isShown(problems, asked)) break;
    for (const when of WHENS) {
      asks = 0;
      const { hash, run } = await throughDeaths(mortal, [{ call, when }]);
      const more = asks - undisturbed;
      addTo(total, { more, struck: 1 });
      const isRight = run.status === "completed" && hash === plain.hash && hash === hashOfSteps(steps);
      const where = `${parallel} lanes, killed with the computer ${when} call ${call}`;
      if (!isRight) problems.push({ invariant: "I16", what: `the run is ${run.status}, with other files`, where });
      if (more > parallel) problems.push({ invariant: "I1", what: `${more} more calls of the model`, where });
    }
  }
  for (const home of homes) home.removeHome();
  return { what: "the computer killed before and after", allowed: parallel, total, problems };
};

const killOneProcess: Killing = (parallel, asked) =>
  strikeOneProcess(asked, {
    ...{ parallel, what: "one process killed before and after" },
    faultsAt: (call) => WHENS.map((when) => ({ kind: "kill", call, when })),
  });

/** Another attempt of its lane claims it, and is never heard of again: what the superseded one does next is refused. */
const supersedeOneProcess: Killing = (parallel, asked) =>
  strikeOneProcess(asked, {
    ...{ parallel, what: "one process superseded before" },
    faultsAt: (call) => [{ kind: "expire", call }],
  });

interface Striking {
  parallel: number;
  what: string;
  faultsAt: (call: number) => Fault[];
}

async function strikeOneProcess(
  asked: Parameters<Experiment>[0],
  { parallel, what, faultsAt }: Striking,
): ReturnType<Killing> {
  const steps = independentSteps(asked.quick);
  const setting = { seed: SEED, instructions: steps.length, definition: projectDefinition(LOOPS), zombies: false };
  const played = (faults: Fault[]): Promise<History> => playHistory({ ...setting, lanes: { parallel, steps }, faults });
  const plain = await played([]);
  const expected = hashOfSteps(steps);
  const total: Total = { struck: 0, extra: 0, most: 0 };
  const problems: Broken[] = plain.problems.map((each) => ({ ...each, where: `${parallel} lanes, undisturbed` }));
  for (const call of numbersOf(asked, 1, plain.calls, asked.quick ? QUICK_EVERY : 1)) {
    if (isShown(problems, asked)) break;
    for (const fault of faultsAt(call)) {
      const history = await played([fault]);
      const more = history.asked - plain.asked;
      addTo(total, { more, struck: history.struck });
      const where = `${parallel} lanes, ${what} call ${call}: ${JSON.stringify(fault)}`;
      const other = history.hash === expected ? [] : [{ invariant: "I16", what: "the run ended with other files" }];
      const dear = more > 1 ? [{ invariant: "I1", what: `${more} more calls of the model` }] : [];
      problems.push(...[...history.problems, ...other, ...dear].map((each) => ({ ...each, where })));
    }
  }
  return { what, allowed: 1, total, problems };
}

function addTo(total: Total, { more, struck }: { more: number; struck: number }): void {
  total.struck += struck;
  total.extra += more;
  total.most = Math.max(total.most, more);
}

/** None looks at what another writes, so that the number of calls does not depend on who is faster. */
const independentSteps = (quick: boolean): LaneStep[] =>
  Array.from({ length: quick ? QUICK_INSTRUCTIONS : INSTRUCTIONS }, (_, index) => ({
    id: `s${index + 1}`,
    needs: [],
    operations: [{ does: "write", path: partOf(index + 1) }],
  }));
