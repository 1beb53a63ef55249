/** One history: a run from its submission to its completion, through faults, watched by invariants the whole way. */
import { treeHash } from "../../lib/control/files/tree-hash.ts";
import { messageOf } from "../../lib/core/errors.ts";
import type { Table } from "../../lib/core/ports.ts";
import type { Event } from "../../lib/core/run/event.ts";
import { isEnded, type Run, waitsForApproval } from "../../lib/core/run/run.ts";
import type { Definition } from "../../lib/engine/asl-schema.ts";
import { createComputeEpochs } from "../../lib/local/compute.ts";
import { type ReplayResult, replayRun } from "../../lib/local/replay.ts";
import { aSubmission } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { createVirtualClock } from "../virtual-clock.ts";
import { noteAgreement } from "./agreement.ts";
import { createChance } from "./chance.ts";
import { createDisturbance } from "./disturbance.ts";
import type { Extent, Fault } from "./fault.ts";
import { nextOfStep } from "./lanes/lane-model.ts";
import { draftOfSteps, type LaneStep } from "./lanes/lane-program.ts";
import { createPlayedCloud, OWNER, type PlayedCloud } from "./played-cloud.ts";
import { createPlayedModel, type PlayedModel, PRICE } from "./played-model.ts";
import { type Note, watchStorage } from "./watched-storage.ts";

export interface Asked {
  seed: number;
  instructions: number;
  definition: Definition;
  faults: Fault[];
  /** The first ceiling; it is raised whenever it is reached. */
  usd?: number | undefined;
  /** So many lanes, and the program that they execute. Absent: one, and the model writes the program. */
  lanes?: { parallel: number; steps: LaneStep[] };
  /** The program waits for a person, who approves it after so many hours. */
  approvedAfterHours?: number | undefined;
  /** Looks at the journal's replay too. */
  replay?: boolean;
  /** False: no process can wake up late, so none is waited for. */
  zombies?: boolean;
}

export interface Problem {
  invariant: string;
  what: string;
}

export interface History extends Extent {
  hash: string;
  turns: number;
  /** Instructions that lanes finished, and of these the ones that the run executed again. */
  joined: number;
  dropped: number;
  charged: number;
  spent: number;
  kills: number;
  struck: number;
  /** Invocations of the first lane that froze. */
  stalled: number;
  resumes: number;
  /** Of the handlers, while the run waited for a person or for a server's permission to come back. */
  invokedWaiting: number;
  waitedMs: number;
  stateBytes: number;
  /** Of its longest execution. */
  events: number;
  problems: Problem[];
}

const MINUTE_MS = 60_000;
const SWEEP_MS = 5 * MINUTE_MS;
/** A frozen process is awake again by then. */
const AFTERMATH_MS = 240 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const LIMIT_MS = 7 * 24 * HOUR_MS;
/** So that what a call reserves is a few times what it costs. */
const MOST_OUTPUT_TOKENS = 2_048;
const START = Date.parse("2026-01-01T08:00:00Z");

export async function playHistory(asked: Asked): Promise<History> {
  const { seed, definition, faults, instructions, lanes, usd = 5, zombies = true } = asked;
  // Read from disk, and so before the clock begins: to it, a disk looks like nothing to do.
  const approve = asked.approvedAfterHours === undefined ? {} : { approve: "plan" as const };
  const options = { reflect: 0, budget: { usd }, ...approve, ...(lanes ? { parallel: lanes.parallel } : {}) };
  const program = lanes ? { program: draftOfSteps(lanes.steps) } : {};
  const submission = await aSubmission({
    options,
    profile: { price: PRICE, maxOutputTokens: MOST_OUTPUT_TOKENS },
    submission: program,
  });
  const problems: Problem[] = [];
  const note: Note = (invariant, what) => {
    if (problems.length < 10) problems.push({ invariant, what });
  };
  const chance = createChance(seed);
  const clock = createVirtualClock(START);
  const lasting = lastingStorage();
  const disturbance = createDisturbance(faults);
  const troubles = new Map(faults.flatMap((fault) => (fault.kind === "model" ? [[fault.ask, fault.trouble]] : [])));
  const model = createPlayedModel({
    ...{ instructions, clock, chance, troubles },
    ...(lanes ? { script: nextOfStep } : {}),
  });
  const watched = watchStorage(lasting, note);
  const cloud = createPlayedCloud({ watched, disturbance, clock, chance, definition, model, note });
  let over = false;
  void (async () => {
    for (; !over; await clock.sleep(SWEEP_MS)) await cloud.sweep();
  })();
  const person = { ...asked, usd, submission, cloud, note, clock };
  const { run, ...counted } = await toCompletion(person);
  const extent = { calls: disturbance.calls(), evaluations: disturbance.evaluations() };
  if (zombies) await clock.sleep(AFTERMATH_MS);
  over = true;
  const { kills, stateBytes, events, invocations } = cloud.observed();
  const history = {
    ...extent,
    ...{ invocations, asked: model.asked(), charged: model.charged() },
    ...{
      ...counted,
      kills,
      struck: disturbance.struck(),
      stalled: disturbance.stalled(),
      stateBytes,
      events: Math.max(0, ...events),
    },
    ...(await lookAt({ run, cloud, table: lasting.table, definition, model, note, replay: asked.replay ?? false })),
    problems,
  };
  lasting.table.close();
  return history;
}

interface Person extends Pick<Asked, "approvedAfterHours"> {
  submission: Awaited<ReturnType<typeof aSubmission>>;
  usd: number;
  cloud: PlayedCloud;
  note: Note;
  clock: ReturnType<typeof createVirtualClock>;
}

interface Met {
  run: Run | undefined;
  resumes: number;
  invokedWaiting: number;
  waitedMs: number;
}

/** As a patient person does it: submits until it is taken, looks every minute, approves, and resumes what stopped. */
async function toCompletion(person: Person): Promise<Met> {
  const { cloud, note, clock } = person;
  const until = clock.now() + LIMIT_MS;
  const runId = await submitted(person, until);
  const met: Met = { run: undefined, resumes: 0, invokedWaiting: 0, waitedMs: 0 };
  let waiting: { from: number; invocations: number } | undefined;
  while (runId !== undefined && clock.now() < until) {
    await clock.sleep(MINUTE_MS);
    met.run = await cloud.registry.run(runId);
    if (met.run?.status === "completed") return met;
    if (!met.run) continue;
    const { invocations } = cloud.observed();
    if (met.run.status !== "waiting") waiting = undefined;
    else waiting ??= { from: clock.now(), invocations };
    met.invokedWaiting += waiting ? invocations - waiting.invocations : 0;
    if (waiting) waiting.invocations = invocations;
    const waited = waiting ? clock.now() - waiting.from : 0;
    met.waitedMs = Math.max(met.waitedMs, waited);
    if (await decided(person, met.run, { waited, until })) met.resumes += 1;
  }
  note(
    "I11",
    `after ${LIMIT_MS / HOUR_MS} hours the run is ${met.run?.status ?? "not there"}: ${met.run?.detail ?? ""}`,
  );
  return met;
}

const submitted = ({ cloud, clock, submission }: Person, until: number): Promise<string | undefined> => {
  const idempotency = { caller: OWNER, key: "once", bodyHash: "same" };
  return again(clock, until, async () => {
    const answer = await cloud.api((control) => control.submit({ ...submission, owner: OWNER, idempotency }));
    return "run" in answer ? answer.run.id : undefined;
  });
};

/** Answers whether the run was resumed. */
async function decided(
  { cloud, clock, usd, approvedAfterHours = 0 }: Person,
  run: Run,
  { waited, until }: { waited: number; until: number },
): Promise<boolean> {
  if (waitsForApproval(run) && waited >= approvedAfterHours * HOUR_MS) {
    await again(clock, until, () => cloud.api((control) => control.approve(run.id)));
  }
  if (!isEnded(run.status)) return false;
  const ceiling = run.reason === "usd" ? { usd: (run.options.budget.usd ?? 0) + usd } : {};
  await again(clock, until, () => cloud.api((control) => control.resume(run.id, { budget: ceiling })));
  return true;
}

/** What failed is done again a minute later; what was done meanwhile is refused, and that is fine. */
async function again<Answer>(
  clock: Person["clock"],
  until: number,
  work: () => Promise<Answer>,
): Promise<Answer | undefined> {
  for (; clock.now() < until; await clock.sleep(MINUTE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && error.name === "L2mac.UserError") return undefined;
    }
  }
  return undefined;
}

async function lookAt(asked: {
  run: Run | undefined;
  cloud: PlayedCloud;
  definition: Definition;
  model: PlayedModel;
  note: Note;
  table: Table;
  replay: boolean;
}): Promise<Pick<History, "hash" | "turns" | "spent" | "joined" | "dropped">> {
  const { cloud, definition, model, note, table, replay } = asked;
  const run = asked.run && (await cloud.registry.run(asked.run.id));
  if (run?.status !== "completed") return { hash: "", turns: 0, spent: 0, joined: 0, dropped: 0 };
  const events = await noteAgreement({ world: cloud.world, table, run, note });
  if (run.microUsd < model.charged()) {
    note("I4", `${model.charged()} micro-dollars were charged, and ${run.microUsd} are accounted for`);
  }
  if (replay) {
    const compute = createComputeEpochs(definition);
    // What it cannot read is found here, too: a run that completed has a whole journal.
    const replayed = await replayRun({ world: cloud.world, compute, run }).catch((error: unknown) => messageOf(error));
    if (typeof replayed === "string") note("I1", `the replay breaks off: ${replayed}`);
    else noteReplay(replayed, note);
  }
  const entries = await cloud.registry.allFiles(run.id);
  const count = (type: Event["type"]): number => events.filter((event) => event.type === type).length;
  return {
    ...{ hash: treeHash(entries), turns: run.turns, spent: run.microUsd },
    ...{ joined: count("joined"), dropped: count("dropped") },
  };
}

function noteReplay({ difference, treeHash: replayed, expected }: ReplayResult, note: Note): void {
  if (difference) note("I1", `the replay differs at ${difference.instruction}.${difference.turn}: ${difference.what}`);
  if (replayed !== expected) note("I1", "the replay ends in another tree");
}
