/**
 * Many runs on one daily ceiling, at the same time: what a call costs is drawn by chance, and so is whose process is
 * killed in the middle of one, or taken for dead while it lives. In memory and in virtual time: a seed repeats exactly.
 */

import { interrupt, resume } from "../../lib/control/lifecycle/resume-and-cancel.ts";
import { type Submission, submit } from "../../lib/control/lifecycle/submit.ts";
import type { World } from "../../lib/control/world.ts";
import { ModelError, UserError } from "../../lib/core/errors.ts";
import type { Clock, Model, ModelAnswer, ModelRequest, Table } from "../../lib/core/ports.ts";
import { costOf, MICRO } from "../../lib/core/run/budget.ts";
import type { Day } from "../../lib/core/run/daily.ts";
import type { Leasing } from "../../lib/core/run/day-shards.ts";
import { isAsleep, isEnded, type Run } from "../../lib/core/run/run.ts";
import { keyOf } from "../../lib/core/store/conditions.ts";
import { bytesOf } from "../../lib/core/turn/estimate.ts";
import { readProjectFont } from "../../lib/files/project-fonts.ts";
import { createComputeEpochs } from "../../lib/local/compute.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { projectDefinition } from "../../lib/local/project-definition.ts";
import { readLedger } from "../../lib/registry/daily-ledger.ts";
import { createRegistry, type Registry } from "../../lib/registry/registry.ts";
import { alwaysGreen, aSubmission } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";
import { wrapStorage } from "../doubles/wrapped-storage.ts";
import { createVirtualClock } from "../virtual-clock.ts";
import { type Chance, createChance } from "./chance.ts";

export interface DailyCeiling {
  seed: number;
  /** In micro-dollars, as all that follow. */
  limit: number;
  /** In the books of the day: settled or written off. */
  spent: number;
  writtenOff: number;
  /** By the provider, whether or not anybody received the answer. */
  charged: number;
  /** The most that ever stood in the books, with all that was in flight. */
  peak: number;
  runs: number;
  completed: number;
  /** Ended at the ceiling. */
  stopped: number;
  /** Left where their processes died. */
  leftDead: number;
  calls: number;
  kills: number;
  /** Processes that lived on after their run had been taken from them. */
  zombies: number;
  /** How often a run waited for what others had in flight. */
  waits: number;
  problems: string[];
}

const START = Date.parse("2026-01-01T01:00:00Z");
const SWEEP_MS = 5 * 60_000;
const PRICE = { input: 1, output: 10 };
/** More than this all of them together want. */
const USD_PER_RUN = 0.08;
const MOST_INSTRUCTIONS = 12;
const OWNER = "laboratory";

/** Large leases of a small day, so that many of them are held and given back. */
const LEASING: Leasing = { calls: 4, perDay: 16, perShard: 1 };

export async function dailyCeiling(asked: { seed: number; runs?: number; leases?: boolean }): Promise<DailyCeiling> {
  const { seed, runs = 50, leases = false } = asked;
  const limit = Math.round(runs * USD_PER_RUN * MICRO);
  const definition = projectDefinition();
  const submission = await aSubmission({
    options: { reflect: 0, budget: { usd: 5 } },
    profile: { price: PRICE, maxOutputTokens: 2_048, temperature: false },
  });
  const clock = createVirtualClock(START);
  const chance = createChance(seed);
  const { problems, note } = notes();
  const watched = watch(lastingStorage(), limit, note);
  const provider = createProvider({ clock, chance, watched, note });
  const leasing = leases ? LEASING : undefined;
  const playing = { leasing, watched, clock, chance, limit, provider, computeEpochs: createComputeEpochs(definition) };
  const stage = createStage(playing);
  for (let index = 0; index < runs; index += 1) await stage.begin(submission);
  await stage.toTheEnd(note);
  const ended = await stage.runs();
  const events = (await Promise.all(ended.map(({ id }) => stage.registry.events(id, EVERY)))).flat();
  noteBooks({ ended, watched, charged: provider.charged(), limit, clock, note });
  watched.storage.table.close();
  const count = (holds: (run: Run) => boolean): number => ended.filter(holds).length;
  return {
    seed,
    limit,
    spent: watched.day().microUsd,
    writtenOff: events.reduce((sum, event) => sum + (event.type === "written_off" ? event.microUsd : 0), 0),
    charged: provider.charged(),
    peak: watched.peak(),
    runs,
    completed: count(({ status }) => status === "completed"),
    stopped: count(isStopped),
    leftDead: count(isLeft),
    calls: provider.calls(),
    kills: stage.kills(),
    zombies: stage.zombies(),
    waits: events.filter((event) => event.type === "waiting" && event.until !== undefined).length,
    problems,
  };
}

const EVERY = { after: 0, limit: 10_000 };
const isStopped = ({ status, reason }: Run): boolean => status === "partial" && reason === "daily";
const isLeft = ({ status, reason }: Run): boolean => status === "waiting" && reason === "interrupted";

type Note = (problem: string) => void;

function notes(): { problems: string[]; note: Note } {
  const problems: string[] = [];
  return { problems, note: (problem) => void (problems.length < 20 && problems.push(problem)) };
}

interface Watched {
  storage: Storage;
  /** As the last transaction left the books. */
  day(): Day;
  peak(): number;
}

/** Looks into the books after every transaction that changes them. */
function watch(storage: Storage, limit: number, note: Note): Watched {
  let day: Day = { microUsd: 0, reservedMicroUsd: 0 };
  let peak = 0;
  const { table, files } = storage;
  const transact: Table["transact"] = async (writes) => {
    const written = await table.transact(writes);
    if (!written.ok || !writes.some((write) => keyOf(write).pk.startsWith("DAY#"))) return written;
    day = await readLedger(table, START);
    peak = Math.max(peak, day.microUsd);
    if (day.microUsd > limit) note(`the books of the day stood at ${day.microUsd} of ${limit}`);
    const { microUsd, reservedMicroUsd } = day;
    if (reservedMicroUsd < 0 || reservedMicroUsd > microUsd) note(`${reservedMicroUsd} of ${microUsd} were in flight`);
    return written;
  };
  return { storage: { table: { ...table, transact }, files }, day: () => day, peak: () => peak };
}

/** What becomes of the process that asks, while it waits for the answer. */
type Fate = "lives" | "is killed" | "is taken for dead";

interface Provider {
  charged(): number;
  calls(): number;
  /** For one process. */
  model(asking: { runId: string; instructions: number; meets: (fate: Fate) => Promise<void> }): Model;
}

interface Providing {
  clock: Clock;
  chance: Chance;
  watched: Watched;
  note: Note;
}

/** Charges when it begins to answer, heard or not; never more than the worst case. */
function createProvider({ clock, chance, watched, note }: Providing): Provider {
  let charged = 0;
  let calls = 0;
  /** Not twice one after the other: a run would give up for that. */
  const failed = new Set<string>();
  const charge = (usage: ModelAnswer["usage"]): void => {
    charged += costOf(PRICE, usage);
    if (charged > watched.day().microUsd) note(`${charged} were charged, and ${watched.day().microUsd} in the books`);
  };
  return {
    charged: () => charged,
    calls: () => calls,
    model: ({ runId, instructions, meets }) => {
      const written = scriptedModel(writerOf(instructions, (n) => [{ path: `f${n}.txt`, content: `${n}` }]));
      return {
        async ask(request) {
          calls += 1;
          const seconds = chance.between(1, 20);
          const usage = drawUsage(request, chance, seconds);
          const failure = failed.has(runId) ? undefined : drawFailure(chance);
          if (failure) failed.add(runId);
          else failed.delete(runId);
          const fate = drawFate(chance);
          await clock.sleep(seconds * 1_000);
          if (!failure || failure.perhapsPaid) charge(usage);
          void meets(fate);
          await clock.sleep(chance.between(1, 20) * 1_000);
          if (failure) throw failure;
          return { ...(await written.ask(request)), usage };
        },
      };
    },
  };
}

/** As fast as models write that hide what they think. */
const TOKENS_PER_SECOND = 90;

/** Nearly every text has as many bytes a token. */
function drawUsage(request: ModelRequest, chance: Chance, seconds: number): ModelAnswer["usage"] {
  const bytes = bytesOf({ messages: request.messages, tools: request.tools });
  return {
    inputTokens: Math.ceil(bytes / (4 + chance.share() / 4)),
    cachedTokens: 0,
    outputTokens: chance.between(1, Math.min(request.maxOutputTokens, seconds * TOKENS_PER_SECOND)),
  };
}

function drawFailure(chance: Chance): ModelError | undefined {
  const share = chance.share();
  if (share < 0.04) return new ModelError("busy", { kind: "unavailable", perhapsPaid: false });
  return share < 0.07 ? new ModelError("cut off", { kind: "broken_answer", perhapsPaid: true }) : undefined;
}

function drawFate(chance: Chance): Fate {
  const share = chance.share();
  if (share < 0.08) return "is killed";
  return share < 0.11 ? "is taken for dead" : "lives";
}

interface Playing {
  leasing: Leasing | undefined;
  watched: Watched;
  clock: Clock;
  chance: Chance;
  limit: number;
  provider: Provider;
  computeEpochs: ReturnType<typeof createComputeEpochs>;
}

interface Stage {
  registry: Registry;
  begin(submission: Omit<Submission, "owner">): Promise<void>;
  /** Sweeps, and goes on with some of what died, until nothing moves any more. */
  toTheEnd(note: Note): Promise<void>;
  runs(): Promise<Run[]>;
  kills(): number;
  zombies(): number;
}

/** Runs and the processes that compute them, each through a view of the storage that ends with it. */
function createStage(playing: Playing): Stage {
  const { watched, clock, chance, limit, leasing } = playing;
  const registry = createRegistry({ table: watched.storage.table, clock, leasing });
  const outside = remote(watched.storage, { clock, chance, killed: new AbortController().signal });
  const world = worldOf(playing, { ...outside, registry: createRegistry({ table: outside.table, clock, leasing }) });
  const wanted = new Map<string, number>();
  const computed = new Map<string, symbol>();
  const left = new Set<string>();
  let kills = 0;
  let zombies = 0;

  function compute(runId: string): void {
    const mark = Symbol(runId);
    const killed = new AbortController();
    const storage = remote(watched.storage, { clock, chance, killed: killed.signal });
    const meets = async (fate: Fate): Promise<void> => {
      if (fate === "lives") return;
      await clock.sleep(chance.between(0, 20_000));
      if (computed.get(runId) !== mark) return;
      computed.delete(runId);
      if (fate === "is killed") {
        kills += 1;
        killed.abort(new Error("process killed"));
        return;
      }
      zombies += 1;
      await goOn(runId);
    };
    const model = playing.provider.model({ runId, instructions: wanted.get(runId) ?? 1, meets });
    const own = { ...storage, registry: createRegistry({ table: storage.table, clock, leasing }) };
    computed.set(runId, mark);
    void playing
      .computeEpochs({ ...worldOf(playing, own), model: async () => model }, runId, { signal: killed.signal })
      .then(() => {
        if (computed.get(runId) === mark) computed.delete(runId);
      });
  }

  /** It seems not to be computed: as a stack does, the next attempt claims it; or it waits for a person, as here. */
  async function goOn(runId: string): Promise<void> {
    if (chance.share() < 0.5 && (await registry.run(runId))?.status !== "waiting") return compute(runId);
    const { status } = await interrupt(world, runId);
    if (isEnded(status)) return;
    if (chance.share() < 0.4 || !(await mayGoOn(world, runId))) left.add(runId);
    else compute(runId);
  }

  async function sweep(): Promise<void> {
    for (const run of await runs()) {
      if (!computed.has(run.id) && !isEnded(run.status) && !left.has(run.id)) await goOn(run.id);
    }
  }

  const runs = async (): Promise<Run[]> =>
    (await Promise.all([...wanted.keys()].map((runId) => registry.run(runId)))).flatMap((run) => run ?? []);

  return {
    registry,
    runs,
    kills: () => kills,
    zombies: () => zombies,
    async begin(submission) {
      const submitted = await submit(world, { ...submission, owner: OWNER });
      if ("conflict" in submitted) throw new Error("A run without an idempotency key cannot conflict.");
      wanted.set(submitted.run.id, chance.between(1, MOST_INSTRUCTIONS));
      compute(submitted.run.id);
    },
    async toTheEnd(note) {
      while (clock.now() - START < LONGEST_MS) {
        await clock.sleep(SWEEP_MS);
        await sweep();
        if ((await runs()).every((run) => isEnded(run.status) || left.has(run.id))) return;
      }
      note(`after ${LONGEST_MS / 3_600_000} hours runs were still being computed, with ${limit} as their ceiling`);
    },
  };
}

/** Within the day. */
const LONGEST_MS = 22 * 3_600_000;

const worldOf = ({ clock, chance, limit }: Playing, own: Pick<World, "files" | "registry">): World => ({
  registry: own.registry,
  files: own.files,
  clock,
  random: chance.share,
  model: () => Promise.reject(new Error("Only processes ask a model.")),
  evaluator: alwaysGreen,
  readFont: readProjectFont,
  dailyUsd: limit / MICRO,
});

/** False: the day is used up. */
async function mayGoOn(world: World, runId: string): Promise<boolean> {
  try {
    await resume(world, runId, {});
    return true;
  } catch (error) {
    if (error instanceof UserError && error.message.includes("daily ceiling")) return false;
    throw error;
  }
}

interface Remote {
  clock: Clock;
  chance: Chance;
  killed: AbortSignal;
}

/** Each call takes its time, so that others come in between. A killed process hears nothing any more, and does nothing. */
function remote(storage: Storage, { clock, chance, killed }: Remote): Storage {
  const silence = new Promise<never>(() => {});
  const called =
    <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      await clock.sleep(chance.between(1, LATENCY_MS));
      if (killed.aborted) return silence;
      const answer = await call(...given);
      return killed.aborted ? silence : answer;
    };
  return wrapStorage(storage, called);
}

const LATENCY_MS = 400;

interface Ended {
  ended: Run[];
  watched: Watched;
  charged: number;
  limit: number;
  clock: Clock;
  note: Note;
}

const LEAST_USED = 0.9;

/** What must be so when everything stands still. */
function noteBooks({ ended, watched, charged, limit, clock, note }: Ended): void {
  const { microUsd, reservedMicroUsd } = watched.day();
  const ofRuns = ended.reduce((sum, run) => sum + run.microUsd, 0);
  if (ofRuns !== microUsd) note(`the runs have spent ${ofRuns}, and the books of the day say ${microUsd}`);
  if (reservedMicroUsd !== 0) note(`${reservedMicroUsd} are still in flight`);
  if (charged > microUsd) note(`${charged} were charged, and ${microUsd} accounted for`);
  if (microUsd < LEAST_USED * limit) note(`only ${microUsd} of ${limit} were spent or written off`);
  if (clock.now() - START > LONGEST_MS) note("it took longer than the day");
  for (const run of ended) {
    const { id, status, reason, reservedMicroUsd: hanging } = run;
    if (hanging !== 0) note(`run ${id} still has ${hanging} reserved`);
    if (isAsleep(run)) note(`run ${id} still waits`);
    const isAllowed = status === "completed" || isStopped(run) || isLeft(run);
    if (!isAllowed) note(`run ${id} is ${status} (${reason}): ${run.detail}`);
  }
}
