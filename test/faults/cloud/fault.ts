/** A fault of the rehearsed cloud: something that befalls a run, and how the run gets to its end all the same. */
import type { Run } from "../../../lib/core/run/run.ts";
import {
  type AwsCall,
  ask,
  type CallTrouble,
  type FunctionProcess,
  json,
  makeOverdue,
  type PlannedDisturbance,
  type Stage,
  settled,
  submit,
} from "../../../packages/aws-rehearsal/index.ts";
import { type PartModel, partOf } from "./part-model.ts";

export interface CloudFault {
  /** A sentence. */
  fault: string;
  /** Calls of the model that it may cost: one for each that dies, or is taken for dead. */
  lost: number;
  /** Left out where it has to be quick: slow, or near to another one. */
  isExtra?: true;
  play(on: Playing): Promise<Played>;
}

export interface Playing {
  stage: Stage;
  model: PartModel;
  /** So far: of the role's transactions, those whose conditions did not hold. */
  refused(role: RegExp): number;
  /** So far: the function's invocations that are over. */
  ended(whose: RegExp): number;
  /** So far: of those, the ones that failed. */
  failed(whose: RegExp): number;
}

export interface Played {
  id: string;
  /** What was seen of it. */
  shown: string;
  /** False: nothing went wrong, so nothing is shown. */
  hasHappened: boolean;
  /** Where it shows only now how many calls it may cost. */
  lost?: number;
  /** What was wrong on the way. */
  problems?: string[];
}

/** The functions and the roles of the stack, by their logical ids. */
export const EXECUTE = /^ControlUnitExecute/;
export const PLAN = /^ControlUnitPlan/;
export const DELIVER = /^ControlUnitDeliver/;
export const EVALUATOR = /^EvaluatorFunction/;
export const API = /^ApiFunction/;

/** With a price, so that what is paid can be counted. */
export const TASK = { task: "Write the parts.", price: { input: 2, output: 8 }, budget: { usd: 5 } };

/** The simplest kind: what was planned befalls a run that needs no help. */
export const befalling =
  (plan: (on: Playing) => PlannedDisturbance, shownBy: (times: number) => string) =>
  async (on: Playing): Promise<Played> => {
    const planned = plan(on);
    const id = await submit(on.stage, TASK);
    await settled(on.stage, id);
    return { id, shown: shownBy(planned.happened()), hasHappened: planned.happened() > 0 };
  };

export interface Death {
  /** Whose process: also that of the role whose call it is. */
  whose: RegExp;
  at: (call: AwsCall) => boolean;
  takesEffect: boolean;
  after?: number;
  times?: number;
}

/** As by kill -9, with this call under way. */
export function dying({ stage }: Playing, { whose, at, takesEffect, after = 0, times = 1 }: Death): PlannedDisturbance {
  const trouble: CallTrouble = { takesEffect, answer: "closed", meanwhile: () => kill(stage, whose) };
  return stage.disturbed.calls.plan({ meets: (call) => whose.test(call.who) && at(call), trouble, after, times });
}

export const kill = async ({ functions }: Stage, whose: RegExp): Promise<void> =>
  void (await Promise.all(functions.atWork(whose).map((process: FunctionProcess) => process.stop())));

export interface Holding {
  /** So many requests for this part are answered at once. */
  after?: number;
  times?: number;
}

/** Requests for this part wait for their answer. `came`: the first of them has. */
export function holding({ model }: Playing, part: number, { after = 0, times = 1 }: Holding = {}) {
  const came = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const planned = model.held.plan({
    meets: (request) => partOf(request) === part,
    trouble: { came: came.resolve, until: released.promise },
    ...{ after, times },
  });
  return { came: came.promise, count: planned.happened, release: released.resolve };
}

/** A quarter of an hour passes, and the sweeper comes. */
export async function sweepLater(stage: Stage, id: string): Promise<void> {
  await makeOverdue(stage, id);
  await stage.sweep();
}

export async function resume(stage: Stage, id: string): Promise<Run> {
  await ask(stage, `POST /runs/${id}/resume`, { status: 202, body: {} });
  return settled(stage, id);
}

export const lookUp = async (stage: Stage, id: string): Promise<Run> => json(await ask(stage, `GET /runs/${id}`));
