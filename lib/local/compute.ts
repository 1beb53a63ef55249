/** Computes a run: one execution after the other, each walked by the engine, as long as one starts the next. */
import { createHandlers, type Handlers } from "../../lambdas/handlers.ts";
import type { FailureInput } from "../../lambdas/record-failure.ts";
import type { HandlerInput } from "../control/lifecycle/with-run.ts";
import type { Invocation, World } from "../control/world.ts";
import type { HandlerAnswer } from "../core/program/advance.ts";
import { isEnded, type Run, waitsForPerson } from "../core/run/run.ts";
import type { Json } from "../core/text/json.ts";
import { type Definition, START_EXECUTION } from "../engine/asl-schema.ts";
import type { WaitFunction } from "../engine/asl-walk.ts";
import { createEngine } from "../engine/engine.ts";
import { createLaneBell, type LaneBell } from "./lane-bell.ts";

/** Computes a run of this world until its execution, and all that follow from it, have ended. */
export type ComputeEpochs = (world: World, runId: string, how: How) => Promise<void>;

interface How {
  signal: AbortSignal;
  asleep?: Asleep;
}

/** Goes around the sleep of every Wait state; the run goes on when it resolves. */
export type Asleep = (sleep: () => Promise<void>) => Promise<void>;

export const createComputeEpochs =
  (definition: Definition): ComputeEpochs =>
  (world, runId, how) =>
    computeEpochs({ world, definition, handlers: createHandlers(world), runId, ...how });

interface ComputeParts extends How {
  world: World;
  definition: Definition;
  handlers: Handlers;
  runId: string;
}

async function computeEpochs(asked: ComputeParts): Promise<void> {
  const { world, definition, handlers, runId, signal, asleep = (sleep) => sleep() } = asked;
  const { clock, random } = world;
  const sleep = waitOf(world, runId);
  const bell = createLaneBell();
  const wait: WaitFunction = (milliseconds, signal, { lane }) =>
    asleep(() => bell.until(Number(lane ?? 1), signal, (ended) => sleep(milliseconds, ended)));
  const underway = new Set<Promise<unknown>>();
  const tasks = tasksOf(handlers, bell, underway);
  const engine = createEngine({ definition, tasks, clock, random, wait });
  let executed = 0;
  for (let run = await world.registry.run(runId); run && isDue(run, executed); run = await world.registry.run(runId)) {
    executed = run.epoch;
    const ending = await engine.execute({ name: `${runId}-${executed}`, input: { runId, epoch: executed }, signal });
    if (ending.status === "ABORTED") return settled(world, underway);
    if (ending.status === "FAILED") await leaveNothingRunning(asked, `${ending.error}: ${ending.cause ?? ""}`);
  }
}

/** A handler that does not hear that it is to stop is not waited for any longer. */
const SETTLE_MS = 60_000;

/** Handlers that were stopped in a call of the model say what it has cost before anybody else does. */
async function settled({ clock }: World, underway: Set<Promise<unknown>>): Promise<void> {
  const over = new AbortController();
  const late = clock.sleep(SETTLE_MS, over.signal).catch(() => {});
  await Promise.race([Promise.allSettled(underway), late]);
  over.abort();
}

const LOOK_MS = 5_000;

/** Cancelling a run that waits ends it, and the sleep with it. */
const waitOf =
  ({ registry, clock }: World, runId: string) =>
  async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    const until = clock.now() + milliseconds;
    for (let left = milliseconds; left > 0; left -= LOOK_MS) {
      await clock.sleep(Math.min(LOOK_MS, left), signal);
      if (signal.aborted || clock.now() >= until) return;
      // A run that cannot be read now is read again by the next invocation.
      const run = await registry.run(runId).catch(() => undefined);
      if (run && isEnded(run.status)) return;
    }
  };

/** The registry says whether another epoch is to be computed; what an execution started may never have begun. */
const isDue = (run: Run, executed: number): boolean =>
  run.epoch > executed && !isEnded(run.status) && !waitsForPerson(run);

function tasksOf(handlers: Handlers, bell: LaneBell, underway: Set<Promise<unknown>>) {
  const task =
    <Input>(handler: (input: Input, invocation: Invocation) => Promise<HandlerAnswer>) =>
    async (payload: Json, invocation: Invocation): Promise<Json> => {
      const work = handler(payload as Input, invocation);
      underway.add(work);
      return { ...(await work.finally(() => underway.delete(work))) };
    };
  return {
    plan: task<HandlerInput>(handlers.plan),
    execute: task<HandlerInput>((input, invocation) =>
      bell.around(input, (onTaken) => handlers.execute(input, { ...invocation, onTaken })),
    ),
    deliver: task<HandlerInput>(handlers.deliver),
    "record-failure": task<FailureInput>(handlers.recordFailure),
    // The engine goes on with what this starts; nothing else runs executions here.
    [START_EXECUTION]: async (): Promise<Json> => ({}),
  };
}

/** What the state machine itself could not record (its limits end it uncatchably). */
async function leaveNothingRunning({ world, handlers, runId }: ComputeParts, cause: string): Promise<void> {
  const run = await world.registry.run(runId);
  if (run) await handlers.recordFailure({ runId, epoch: run.epoch, error: "The execution failed", cause });
}
