/** A run with a lane that had to wait ends like any other: the function that ends it settles the lane. */
import type { Run } from "../../../lib/core/run/run.ts";
import type { Disturbance } from "../disturbances.ts";
import type { FunctionCall, InvocationTrouble } from "../lambda/functions.ts";
import { ServiceError } from "../service-error.ts";
import type { Stage } from "../stage.ts";
import { type Act, ask, json, must, mustStand, settled, submit } from "./act.ts";
import { makeOverdue } from "./repair.ts";

const PROGRAM = [1, 2].map((number) => ({
  ...{ id: `p${number}`, title: `Part ${number}`, needs: [] },
  text: `MARK-${number}-BEGINS Write the files of this part.`,
}));

type Trouble = Disturbance<FunctionCall, InvocationTrouble>;

const EVALUATOR = /^Evaluator/;
const isOfSecondLane = ({ tenantId = "" }: FunctionCall): boolean => tenantId.endsWith("-2");

const throttled = (meets: Trouble["meets"], times = 1): Trouble => ({
  meets: (call) => EVALUATOR.test(call.logicalId) && meets(call),
  trouble: { refused: new ServiceError("TooManyRequestsException", 429, "Rate Exceeded.") },
  times,
});

const unreachable = (name: RegExp, meets: Trouble["meets"] = () => true): Trouble => ({
  meets: (call) => name.test(call.logicalId) && meets(call),
  trouble: { refused: new ServiceError("InvalidRuntimeException", 502, "The function does not start.") },
  times: Number.POSITIVE_INFINITY,
});

const DELIVER = unreachable(/^ControlUnitDeliver/);
const RECORD_FAILURE = unreachable(/^ControlUnitRecordFailure/);

/** An answer of the model after the wait would leave nothing to settle: what is throttled is the check of its last one. */
function atItsGate(): Trouble["meets"] {
  let evaluations = 0;
  return (call) => {
    if (isOfSecondLane(call)) evaluations += 1;
    return isOfSecondLane(call) && evaluations === 2;
  };
}

/** The second lane finds its evaluator throttled once, and goes on when it has waited. */
async function afterWait(stage: Stage, troubles: Trouble[] = []): Promise<Run> {
  const { invocations } = stage.disturbed;
  const waited = invocations.plan(throttled(atItsGate()));
  for (const each of troubles) invocations.plan(each);
  // Both lanes have their instructions before one of them is done.
  const release = stage.model.hold();
  try {
    const id = await submit(stage, { task: "Write the parts.", program: PROGRAM, parallel: 2 });
    await stage.model.asked(2);
    release();
    const run = await settled(stage, id);
    must("The lane waited once", waited.happened() === 1, run);
    return run;
  } finally {
    release();
    invocations.clear();
  }
}

const delivered: Act = {
  name: "a run whose lane waited for the evaluator is delivered",
  play: async (stage) => mustStand(await afterWait(stage), "completed"),
};

const recorded: Act = {
  name: "a run whose lane waited for the evaluator is recorded as failed",
  play: async (stage) => mustStand(await afterWait(stage, [DELIVER]), "failed", "internal"),
};

const recordedLate: Act = {
  name: "a run whose lane waited for the evaluator is recorded as failed by the sweeper",
  async play(stage) {
    const { id } = await afterWait(stage, [DELIVER, RECORD_FAILURE]);
    await makeOverdue(stage, id);
    await stage.sweep();
    mustStand(await settled(stage, id), "failed", "internal");
  },
};

const cancelled: Act = {
  name: "a run whose lane waited for the evaluator is cancelled while the run itself waits for it",
  async play(stage) {
    let evaluations = 0;
    const counted: Trouble = throttled((call) => {
      if (isOfSecondLane(call)) evaluations += 1;
      return !isOfSecondLane(call);
    }, Number.POSITIVE_INFINITY);
    // Once the lane has what it waited for, the execution of the run ends without a word, in the middle of its wait.
    const silent = unreachable(
      /^ControlUnit(Plan|Execute)/,
      ({ payload }) => evaluations > 2 && !/"lane":2\b/.test(payload),
    );
    const run = await afterWait(stage, [counted, silent, RECORD_FAILURE]);
    mustStand(run, "waiting", "evaluator_not_ready");
    const { status } = json(await ask(stage, `POST /runs/${run.id}/cancel`, { status: 202, body: {} }));
    must("It is cancelled", status === "cancelled", status);
  },
};

export const settledLanes: Act[] = [delivered, recorded, recordedLate, cancelled];
