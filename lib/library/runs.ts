/** What a program does with runs that exist: approve, answer, resume, list, read, watch and cancel them. */
import { streamEvents } from "../client/event-stream.ts";
import type { LocalClient } from "../client/in-process.ts";
import { defined } from "../core/defined.ts";
import type { Draft } from "../core/program/program.ts";
import type { Event } from "../core/run/event.ts";
import { type GivenOptions, toBody } from "../core/run/option-forms.ts";
import type { Run } from "../core/run/run.ts";
import { compute, follow } from "./generate.ts";
import type { ComputeOptions, ContentOptions, PlaceOptions } from "./options.ts";
import { foundRun, openRuns } from "./place.ts";
import { completed, readResult } from "./read-result.ts";
import { foldersFor, programIn } from "./request.ts";
import type { Generated } from "./result.ts";

export interface ApproveOptions extends ComputeOptions {
  /** Executed in the place of the one that waits: a program, or the path of a .md, .yaml or .json file. */
  program?: Draft | string | undefined;
}

/** A text, or the number of a choice. */
export interface AnswerOptions extends ComputeOptions {
  text?: string | undefined;
  choice?: number | undefined;
}

/** What changes of the run; the rest stays as it was. Ceilings are those of the whole run. */
export interface ResumeOptions
  extends ComputeOptions,
    Pick<GivenOptions, "budget" | "maxTokens" | "maxTurns" | "maxMinutes"> {
  /** A sentence for the model that goes on. */
  hint?: string | undefined;
}

export interface ListOptions extends PlaceOptions {
  /** Only runs whose id, name or title holds it. */
  like?: string | undefined;
  atMost?: number | undefined;
}

export interface WatchOptions extends PlaceOptions {
  /** The number of the last event that is known already (default 0). */
  after?: number | undefined;
  /** Ends the watching. The run goes on. */
  signal?: AbortSignal | undefined;
}

type Result = Promise<Generated<string | Uint8Array>>;

export const approve = (id: string, options: ApproveOptions & ContentOptions): Result =>
  goOn(id, options, (client, run) => client.approve(run, programIn(options.program, foldersFor(options))));

export const answer = (id: string, { text, choice, ...options }: AnswerOptions & ContentOptions): Result =>
  goOn(id, options, (client, run) => {
    const step = run.question ? { step: run.question.step } : {};
    return client.answer(run, { ...defined({ text, choice }), ...step });
  });

export const resume = (id: string, options: ResumeOptions & ContentOptions): Result => {
  const { budget, maxTokens, maxTurns, maxMinutes, hint } = options;
  const changes = { ...toBody(defined({ budget, maxTokens, maxTurns, maxMinutes })), ...defined({ hint }) };
  return goOn(id, options, (client, run) => client.resume(run, changes));
};

const goOn = (
  id: string,
  options: ComputeOptions & ContentOptions,
  begin: (client: LocalClient, run: Run) => Promise<unknown>,
): Result =>
  compute(options, async (client) => {
    const run = await foundRun(client, id);
    await begin(client, run);
    return completed(await follow(client, { id: run.id, after: run.events }, options));
  });

async function reading<Value>(options: PlaceOptions, read: (client: LocalClient) => Promise<Value>): Promise<Value> {
  const client = await openRuns(options);
  try {
    return await read(client);
  } finally {
    client.close();
  }
}

/** The latest first. */
export const list = ({ like, atMost, ...place }: ListOptions = {}): Promise<Run[]> =>
  reading(place, (client) => client.runs(defined({ like, atMost })));

/** The run as it is now, with what it delivers, or what of it is accepted so far. */
export const get = (id: string, options: PlaceOptions & ContentOptions): Result =>
  reading(options, async (client) => readResult(client, await foundRun(client, id), options.bytes));

/** Answers the run as it is then. A run that is being computed stops at its next commit. */
export const cancel = (id: string, options: PlaceOptions = {}): Promise<Run> =>
  reading(options, async (client) => client.cancel(await foundRun(client, id)));

/** The events of a run, those that come too, until it ends or waits for a person. */
export async function* watch(id: string, options: WatchOptions = {}): AsyncGenerator<Event, void, undefined> {
  const client = await openRuns(options);
  try {
    const run = await foundRun(client, id);
    yield* streamEvents(client, run.id, options);
  } finally {
    client.close();
  }
}
