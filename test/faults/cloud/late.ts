/** What comes twice, late or not at all: an attempt that lives on, and an execution that ends in the middle. */
import { pluralize } from "../../../lib/core/text/format.ts";
import {
  ask,
  json,
  mustStand,
  ServiceError,
  type Stage,
  settled,
  submit,
} from "../../../packages/aws-rehearsal/index.ts";
import { NO_EVIDENCE } from "../../doubles/no-evidence.ts";
import { beginsEpoch } from "./cloud-calls.ts";
import {
  API,
  befalling,
  type CloudFault,
  dying,
  EVALUATOR,
  EXECUTE,
  holding,
  lookUp,
  type Playing,
  resume,
  sweepLater,
  TASK,
} from "./fault.ts";
import { until } from "./look.ts";

export const LATE: CloudFault[] = [
  {
    fault: "A state times out, and its function writes while the next attempt is at work",
    lost: 1,
    play: (on) =>
      zombie(on, async ({ release, next }) => {
        await next.came;
        release();
        await allAtRest(on.stage, 1);
        next.release();
      }),
  },
  {
    fault: "A state times out, and its function writes when the run has ended",
    isExtra: true,
    lost: 1,
    play: (on) =>
      zombie(on, async ({ id, release, next }) => {
        next.release();
        await settled(on.stage, id);
        release();
      }),
  },
  {
    fault: "An invocation is delivered twice at once",
    isExtra: true,
    lost: 1,
    play: (on) => twice(on, "last answer"),
  },
  {
    fault: "An invocation is delivered twice at once, and the answer is of the one that lost",
    lost: 1,
    play: (on) => twice(on, "first answer"),
  },
  {
    fault: "Lambda throttles the invocations of Execute for a while",
    lost: 0,
    play: befalling(
      ({ stage }) => throttling(stage, EXECUTE, 4),
      (times) => `refused ${pluralize(times, "time")}`,
    ),
  },
  {
    fault: "Lambda throttles the evaluator for a while",
    isExtra: true,
    lost: 0,
    play: befalling(
      ({ stage }) => throttling(stage, EVALUATOR, 1),
      (times) => `refused ${pluralize(times, "time")}, and waited for`,
    ),
  },
  {
    fault: "Execute is killed when the next epoch is begun, and its execution is not",
    lost: 0,
    async play(on) {
      const { stage } = on;
      const death = dying(on, { whose: EXECUTE, at: beginsEpoch(2), takesEffect: true });
      const id = await submit(stage, TASK);
      await settled(stage, id);
      const { epoch, status } = await lookUp(stage, id);
      await sweepLater(stage, id);
      await settled(stage, id);
      return { id, shown: `${status} in epoch ${epoch}; started by the sweeper`, hasHappened: death.happened() > 0 };
    },
  },
  ...[
    { fault: "The API is killed when the run is there, and its execution is not", isStart: true },
    { fault: "The API is killed when the run is there, and its first epoch is not", isStart: false },
  ].map(
    ({ fault, isStart }): CloudFault => ({
      fault,
      lost: 0,
      async play(on) {
        const { stage } = on;
        const death = dying(on, {
          whose: API,
          at: (call) => (isStart ? call.operation === "StartExecution" : beginsEpoch(1)(call)),
          takesEffect: false,
        });
        const { status } = await stage.owner.ask("POST", "/runs", { body: { ...NO_EVIDENCE, ...TASK } });
        const { runs } = json(await ask(stage, "GET /runs?limit=1"));
        const id = runs[0].id;
        await sweepLater(stage, id);
        await settled(stage, id);
        return { id, shown: `answered ${status}; started by the sweeper`, hasHappened: death.happened() > 0 };
      },
    }),
  ),
  {
    fault: "An execution is stopped by hand while the model is asked",
    lost: 0,
    async play(on) {
      const { stage } = on;
      const { came, release } = holding(on, 2);
      const id = await submit(stage, TASK);
      await came;
      await stage.controlUnit.abort(`${id}-1`);
      release();
      await allAtRest(stage);
      await sweepLater(stage, id);
      mustStand(await lookUp(stage, id), "failed", "internal");
      await resume(stage, id);
      return { id, shown: "recorded by the sweeper, and resumed", hasHappened: true };
    },
  },
];

/** The state's time is over while its function waits for the model; what it writes then must be refused. */
async function zombie(
  on: Playing,
  goOn: (at: { id: string; release: () => void; next: ReturnType<typeof holding> }) => Promise<void>,
) {
  const { stage } = on;
  const { came, release } = holding(on, 2);
  const next = holding(on, 2);
  stage.disturbed.tasks.plan({
    meets: ({ functionArn }) => functionArn === arnOf(stage, EXECUTE),
    trouble: { timesOut: came },
    after: 1,
  });
  const id = await submit(stage, TASK);
  await came;
  const before = on.refused(EXECUTE);
  await goOn({ id, release: () => release(), next });
  await allAtRest(stage);
  await settled(stage, id);
  const refused = on.refused(EXECUTE) - before;
  return { id, shown: `${pluralize(refused, "late write")} refused`, hasHappened: refused > 0 };
}

/** Two processes are at work on one part; the one that claimed it first is fenced. */
async function twice(on: Playing, answer: "first answer" | "last answer") {
  const { stage } = on;
  const before = on.refused(EXECUTE);
  const endedBefore = on.ended(EXECUTE);
  const { count, release } = holding(on, 2, { times: 2 });
  stage.disturbed.invocations.plan({
    meets: ({ logicalId }) => EXECUTE.test(logicalId),
    trouble: { twice: answer },
    after: 1,
  });
  const id = await submit(stage, TASK);
  // Of the first part, and of the one that lost: perhaps before it asked.
  const hasLost = () => on.ended(EXECUTE) >= endedBefore + 2;
  await until("both are at work", () => count() === 2 || hasLost());
  release();
  await settled(stage, id);
  await allAtRest(stage);
  const { status } = await lookUp(stage, id);
  const isBegunAgain = status !== "completed";
  if (isBegunAgain) {
    await sweepLater(stage, id);
    await settled(stage, id);
  }
  const refused = on.refused(EXECUTE) - before;
  const then = isBegunAgain ? "; begun again by the sweeper" : "";
  return {
    id,
    shown: `${pluralize(refused, "write")} of the other one refused${then}`,
    hasHappened: refused > 0 && isBegunAgain === (answer === "first answer"),
  };
}

const throttling = (stage: Stage, whose: RegExp, times: number) =>
  stage.disturbed.invocations.plan({
    meets: ({ logicalId }) => whose.test(logicalId),
    trouble: { refused: new ServiceError("TooManyRequestsException", 429, "Rate Exceeded.") },
    after: 1,
    times,
  });

const allAtRest = ({ functions }: Stage, but = 0): Promise<void> =>
  until("Execute is at rest", () => functions.atWork(EXECUTE).length <= but);

const arnOf = ({ deployed }: Stage, whose: RegExp): string | undefined =>
  Object.values(deployed.resources).find(
    ({ type, logicalId }) => type === "AWS::Lambda::Function" && whose.test(logicalId),
  )?.arn;
