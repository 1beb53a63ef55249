/** A process that is killed at every boundary of a run: before and after each call that it makes to table and file store. */
import { projectDefinition } from "../../lib/local/project-definition.ts";
import { type Broken, counted, type Experiment, isShown } from "./experiment.ts";
import type { Fault, When } from "./fault.ts";
import { type History, playHistory } from "./history.ts";

const INSTRUCTIONS = 20;
const QUICK_INSTRUCTIONS = 4;
const SEED = 1;
/** So that executions hand over to the next on the way. */
const LOOPS = 3;
const WHENS: When[] = ["before", "after"];

export const killEverywhere: Experiment = async (asked) => {
  const { quick, say } = asked;
  const instructions = quick ? QUICK_INSTRUCTIONS : INSTRUCTIONS;
  const definition = projectDefinition(LOOPS);
  const played = (faults: Fault[]): Promise<History> =>
    playHistory({ seed: SEED, instructions, definition, faults, zombies: false });
  const plain = await played([]);
  const broken: Broken[] = plain.problems.map((problem) => ({ ...problem, where: "undisturbed" }));
  let kills = 0;
  let extra = 0;
  let most = 0;
  for (let call = 1; call <= plain.calls && !isShown(broken, asked); call += 1) {
    for (const when of WHENS) {
      const history = await played([{ kind: "kill", call, when }]);
      const where = `killed ${when} call ${call} of ${plain.calls}`;
      const more = history.asked - plain.asked;
      kills += history.kills;
      extra += more;
      most = Math.max(most, more);
      broken.push(
        ...[...history.problems, ...sameEnd(history, plain), ...paidOnce(more)].map((each) => ({ ...each, where })),
      );
    }
    if (call % 100 === 0) say(`  boundary ${call} of ${plain.calls}`);
  }
  return {
    broken,
    rows: [
      {
        what: `killed before and after each call of a run of ${instructions} instructions`,
        figure: `${counted(plain.calls)} boundaries, ${counted(kills)} kills`,
        aim: "every one",
        reached: kills === plain.calls * WHENS.length,
      },
      {
        what: "… model calls beyond the undisturbed number",
        figure: `${counted(extra)} in all, at most ${most} for a kill`,
        aim: "≤ 1 for a kill",
        reached: most <= 1,
      },
      {
        what: "… runs that ended with another tree, or with effects doubled",
        figure: counted(new Set(broken.map(({ where }) => where)).size),
        aim: "0",
        reached: broken.length === 0,
      },
    ],
  };
};

export const sameEnd = ({ hash }: History, plain: History) =>
  hash === plain.hash ? [] : [{ invariant: "I1", what: "the run ended with another tree" }];

const paidOnce = (more: number) =>
  more <= 1 ? [] : [{ invariant: "I1", what: `one kill cost ${more} more calls of the model` }];
