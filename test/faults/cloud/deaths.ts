/** Processes that are killed, as by kill -9: the state machine tries again, and goes on from the journal. */
import { execFileSync } from "node:child_process";
import { type AwsCall, settled, submit } from "../../../packages/aws-rehearsal/index.ts";
import { claimsRun, commitsTurn, isTransaction, notesAnswer, storesAnswer, storesOutput } from "./cloud-calls.ts";
import {
  befalling,
  type CloudFault,
  DELIVER,
  dying,
  EVALUATOR,
  EXECUTE,
  holding,
  kill,
  PLAN,
  type Playing,
  TASK,
} from "./fault.ts";
import { until } from "./look.ts";
import { PARTS } from "./part-model.ts";

const killed = (times: number): string => `killed ${times === 1 ? "once" : `${times} times`}, and called again`;

interface Dying {
  /** Of an attempt's transactions. */
  first: number;
  takesEffect: boolean;
}

const DYING: Dying[] = [1, 5].flatMap((first) => [false, true].map((takesEffect) => ({ first, takesEffect })));

export const DEATHS: CloudFault[] = [
  {
    fault: "Execute is killed in the middle of a call of the model",
    lost: 1,
    async play(on) {
      const { stage } = on;
      const { came, release } = holding(on, 2);
      const id = await submit(stage, TASK);
      await came;
      await kill(stage, EXECUTE);
      release();
      await settled(stage, id);
      return { id, shown: killed(1), hasHappened: true };
    },
  },
  {
    fault: "Execute is killed when the model has answered, and nothing is stored",
    lost: 1,
    play: befalling((on) => dying(on, { whose: EXECUTE, at: storesAnswer, takesEffect: false, after: 1 }), killed),
  },
  {
    fault: "Execute is killed when the answer is stored, and not yet noted",
    isExtra: true,
    lost: 1,
    play: befalling((on) => dying(on, { whose: EXECUTE, at: notesAnswer, takesEffect: false, after: 2 }), killed),
  },
  {
    fault: "Execute is killed between the effects of a turn and their commit",
    lost: 0,
    play: befalling((on) => dying(on, { whose: EXECUTE, at: commitsTurn, takesEffect: false, after: 2 }), killed),
  },
  {
    fault: "Execute is killed when a turn is committed, and it does not know",
    isExtra: true,
    lost: 0,
    play: befalling((on) => dying(on, { whose: EXECUTE, at: commitsTurn, takesEffect: true, after: 2 }), killed),
  },
  ...DYING.map(
    ({ first, takesEffect }): CloudFault => ({
      fault: `Attempts are killed at transaction ${first} of theirs and at later ones, ${takesEffect ? "after they took" : "before they take"} effect`,
      isExtra: true,
      lost: 0,
      async play(on) {
        const deaths = dyingAgain(on, { first, takesEffect });
        const id = await submit(on.stage, TASK);
        await settled(on.stage, id);
        return { id, shown: killed(deaths()), hasHappened: deaths() > 1, lost: deaths() };
      },
    }),
  ),
  {
    fault: "Plan is killed when the model has answered, and nothing is stored",
    lost: 1,
    play: befalling((on) => dying(on, { whose: PLAN, at: storesAnswer, takesEffect: false }), killed),
  },
  {
    fault: "Plan is killed when the program is stored, and it does not know",
    isExtra: true,
    lost: 0,
    play: befalling((on) => dying(on, { whose: PLAN, at: commitsTurn, takesEffect: true, after: 1 }), killed),
  },
  {
    fault: "The evaluator is killed in the middle of a check",
    // The gate says so to the model, which has to ask again.
    lost: 1,
    async play(on) {
      const { stage, failed } = on;
      const before = failed(EVALUATOR);
      const { came, release } = holding(on, PARTS, { after: 1 });
      const id = await submit(stage, TASK);
      // What it says next is that the part is done: the gate asks the evaluator.
      await came;
      release();
      await until("the evaluator checks", () => stage.functions.atWork(EVALUATOR).some(isChecking));
      await kill(stage, EVALUATOR);
      await settled(stage, id);
      return { id, shown: "no verdict, so the gate stays closed", hasHappened: failed(EVALUATOR) > before };
    },
  },
  {
    fault: "Deliver is killed in the middle of a delivery",
    lost: 0,
    play: befalling((on) => dying(on, { whose: DELIVER, at: storesOutput, takesEffect: true }), killed),
  },
];

/** Each of them a transaction later in its attempt than the one before; the attempt that follows is left alone. */
function dyingAgain(on: Playing, { first, takesEffect }: Dying) {
  let deaths = 0;
  let transactions = 0;
  let isSpared = false;
  let isDead = false;
  const isItsTurn = (call: AwsCall): boolean => {
    if (claimsRun(call)) {
      transactions = 0;
      isSpared = isDead;
      isDead = false;
    }
    transactions += 1;
    if (isSpared || isDead || transactions < first + deaths) return false;
    deaths += 1;
    isDead = true;
    return true;
  };
  for (const whose of [PLAN, EXECUTE, DELIVER])
    dying(on, {
      ...{ whose, takesEffect, times: Number.POSITIVE_INFINITY },
      at: (call) => isTransaction(call) && isItsTurn(call),
    });
  return () => deaths;
}

/** It has begun a command, which is a process. */
function isChecking({ pid }: { pid: number | undefined }): boolean {
  const parents = execFileSync("ps", ["-A", "-o", "ppid="], { encoding: "utf8" });
  return parents.split("\n").some((parent) => Number(parent) === pid);
}
