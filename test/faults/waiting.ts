/** A day of waiting, for a person and for a model server: nothing is invoked, and then the run goes on exactly where it was. */
import { projectDefinition } from "../../lib/local/project-definition.ts";
import { sameEnd } from "./boundaries.ts";
import type { Experiment, Outcome } from "./experiment.ts";
import type { Fault } from "./fault.ts";
import { type Asked, type History, playHistory } from "./history.ts";

const INSTRUCTIONS = 5;
const HOURS = 24;

export const waitADay: Experiment = async () => {
  const setting: Asked = {
    seed: 1,
    instructions: INSTRUCTIONS,
    definition: projectDefinition(),
    faults: [],
    replay: true,
  };
  const plain = await playHistory(setting);
  // Planning is delivered once more, an hour later: that moves nothing on.
  const late: Fault = { kind: "duplicate", invocation: 1, seconds: 3_600 };
  const forPerson = await playHistory({ ...setting, approvedAfterHours: HOURS, faults: [late] });
  const forServer = await playHistory({
    ...setting,
    faults: [{ kind: "model", ask: Math.ceil(plain.asked / 2), trouble: "rate_limited_for_a_day" }],
  });
  return together([
    outcomeOf("for a person to approve the program", forPerson, { plain, calls: 0 }),
    outcomeOf("for a model server's quota", forServer, { plain, calls: 1 }),
  ]);
};

function outcomeOf(what: string, history: History, { plain, calls }: { plain: History; calls: number }): Outcome {
  const { waitedMs, invokedWaiting } = history;
  const more = history.asked - plain.asked - calls;
  const hours = Math.floor(waitedMs / 3_600_000);
  const where = `waiting ${what}`;
  const awake = invokedWaiting > 0 ? [{ invariant: "I6", what: `${invokedWaiting} invocations while it waited` }] : [];
  const unasked = hours < HOURS ? [{ invariant: "I6", what: `it went on after ${hours} hours` }] : [];
  const dear = more > 0 ? [{ invariant: "I1", what: `${more} more calls of the model` }] : [];
  return {
    broken: [...history.problems, ...sameEnd(history, plain), ...awake, ...unasked, ...dear].map((each) => ({
      ...each,
      where,
    })),
    rows: [
      {
        what: `${hours} hours of waiting ${what}: invocations of the run's handlers`,
        figure: String(invokedWaiting),
        aim: "0",
        reached: invokedWaiting === 0 && hours >= HOURS && history.hash === plain.hash,
      },
    ],
  };
}

const together = (outcomes: Outcome[]): Outcome => ({
  rows: outcomes.flatMap(({ rows }) => rows),
  broken: outcomes.flatMap(({ broken }) => broken),
});
