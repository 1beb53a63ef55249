/** Every boundary of a run: before and after each call that it makes to table and file store, a death, or an error. */
import type { Row } from "../../bench/table.ts";
import { projectDefinition } from "../../lib/local/project-definition.ts";
import { type Asked, type Broken, counted, type Experiment, isShown, numbersOf, type Outcome } from "./experiment.ts";
import type { Fault, When } from "./fault.ts";
import { type History, playHistory } from "./history.ts";

const INSTRUCTIONS = 20;
const FEW_INSTRUCTIONS = 4;
const SEED = 1;
/** So that executions hand over to the next on the way. */
const LOOPS = 3;
const WHENS: When[] = ["before", "after"];

/** The process that makes the call is killed. */
export const killEverywhere: Experiment = (asked) =>
  atEveryCall(asked, { kind: "kill", words: "killed", instructions: asked.quick ? FEW_INSTRUCTIONS : INSTRUCTIONS });

/** The call is answered with an error. */
export const failEverywhere: Experiment = (asked) =>
  atEveryCall(asked, { kind: "fail", words: "refused", instructions: FEW_INSTRUCTIONS });

interface Striking {
  kind: "kill" | "fail";
  words: string;
  instructions: number;
}

async function atEveryCall(asked: Asked, { kind, words, instructions }: Striking): Promise<Outcome> {
  const definition = projectDefinition(LOOPS);
  const played = (faults: Fault[]): Promise<History> =>
    playHistory({ seed: SEED, instructions, definition, faults, zombies: false });
  const plain = await played([]);
  const broken: Broken[] = plain.problems.map((problem) => ({ ...problem, where: "undisturbed" }));
  const total = { struck: 0, extra: 0, most: 0 };
  const calls = numbersOf(asked, 1, plain.calls);
  for (const call of calls) {
    if (isShown(broken, asked)) break;
    for (const when of WHENS) {
      const history = await played([{ kind, call, when }]);
      const where = `${words} ${when} call ${call} of ${plain.calls}`;
      const more = history.asked - plain.asked;
      total.struck += history.struck;
      total.extra += more;
      total.most = Math.max(total.most, more);
      const problems = [...history.problems, ...sameEnd(history, plain), ...paidOnce(more)];
      broken.push(...problems.map((each) => ({ ...each, where })));
    }
    if (call % 100 === 0) asked.say(`  call ${call} of ${plain.calls}`);
  }
  const what = `${words} before and after each call of a run of ${instructions} instructions`;
  return { broken, rows: rowsOf(what, { ...total, calls: calls.length, broken }) };
}

function rowsOf(
  what: string,
  counts: { calls: number; struck: number; extra: number; most: number; broken: Broken[] },
): Row[] {
  const { calls, struck, extra, most, broken } = counts;
  return [
    {
      what,
      figure: `${counted(calls)} boundaries, ${counted(struck)} times`,
      aim: "every one",
      reached: struck === calls * WHENS.length,
    },
    {
      what: "… model calls beyond the undisturbed number",
      figure: `${counted(extra)} in all, at most ${most} each time`,
      aim: "≤ 1 each time",
      reached: most <= 1,
    },
    {
      what: "… runs that ended with another tree, or with effects doubled",
      figure: counted(new Set(broken.map(({ where }) => where)).size),
      aim: "0",
      reached: broken.length === 0,
    },
  ];
}

export const sameEnd = ({ hash }: History, plain: History) =>
  hash === plain.hash ? [] : [{ invariant: "I1", what: "the run ended with another tree" }];

const paidOnce = (more: number) =>
  more <= 1 ? [] : [{ invariant: "I1", what: `one fault cost ${more} more calls of the model` }];
