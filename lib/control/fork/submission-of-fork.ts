/** A fork of a run, as a submission: a new run that inherits all up to a point, and goes on from there. */
import { defined } from "../../core/defined.ts";
import type { Draft } from "../../core/program/program.ts";
import type { PromptPack } from "../../core/prompt/prompt.ts";
import { isEarlier, readForkPoint } from "../../core/run/forks/fork-point.ts";
import type { StoredFork } from "../../core/run/forks/stored-fork.ts";
import type { Run } from "../../core/run/run.ts";
import type { TaskDocument } from "../../core/run/task.ts";
import { currentModelIndex, firstModelPatch } from "../../core/turn/model-fallback.ts";
import { nextTurn, RESUMED } from "../../core/turn/next-turn.ts";
import { type Resumption, resumptionPatch, whyNotWith } from "../lifecycle/resumption.ts";
import type { Submission } from "../lifecycle/submit.ts";
import { readInheritance } from "../make/inheritance.ts";
import { sameUnserved } from "../make/make-run.ts";
import { listsAt } from "../program/read-items.ts";
import {
  type RunStores,
  type StoredProgram,
  storedProgram,
  versionOf,
  wholeProgramOf,
} from "../program/stored-program.ts";
import { readTaskDocument } from "../program/stored-task.ts";
import type { JournalEntry } from "../turn/journal.ts";
import { factsAt } from "./facts-at.ts";
import { asksForParts, type FoundForkPoint, findForkPoint } from "./find-fork-point.ts";
import { programAfter, programFromPlace } from "./program-of-fork.ts";
import { nothingLeft, unservedChanged } from "./refusals.ts";
import { type ForkedWalk, walkAt } from "./walk-at.ts";

export interface ForkRequest extends Resumption {
  at: string;
  name: string;
  /** Replaces the instructions after the fork. */
  program?: Draft | undefined;
  /** Replaces the prompts of later turns. */
  pack?: PromptPack | undefined;
}

/** What is stored for a fork before it is there. */
export interface ForkStart {
  origin: Run;
  /** Of the new run, the whole of it. */
  program: Draft;
  stored: Omit<StoredFork, "program">;
  /** Of the record: models, and what was measured of them. */
  run: Partial<Run>;
}

export async function submissionOfFork(place: RunStores, origin: Run, asked: ForkRequest): Promise<Submission> {
  const point = await findForkPoint(place, origin, asked.at);
  const [document, before, { facts, baseline }, walk] = await Promise.all([
    readTaskDocument(place.files, origin.id),
    storedProgram(place, origin),
    factsAt(place, origin, point),
    walkAt(place, origin, point),
  ]);
  const { open, done } = point;
  const kept = done + (open ? 1 : 0);
  const whole = await wholeProgramOf(place, origin, before);
  const program = programOf({ origin, asked, kept, before, whole, walk, isOpen: open !== undefined });
  const change = changeAt(document, { at: asked.at, before: whole, program, pack: asked.pack });
  const skipped = before.instructions.slice(0, done).filter(({ status }) => status === "skipped").length;
  const { split } = origin;
  const run = changedRun(origin, asked);
  if (origin.make && !sameUnserved(whole, program)) throw unservedChanged(origin);
  const { tried, memo } = (open && (await place.registry.instruction(origin.id, kept))) || {};
  return {
    ...document,
    pack: change.pack,
    forks: [...change.earlier, { run: origin.id, at: asked.at, ...change.was }],
    name: asked.name,
    owner: origin.owner,
    options: optionsOf(run, asked),
    profile: run.profile,
    ...(run.models ? { models: run.models } : {}),
    lists: await listsAt(place.files, origin.id, document.frames ?? []),
    // What it may still take over of the run that `make` began this one from.
    ...(origin.make ? { inheriting: await readInheritance(place.files, origin.id) } : {}),
    fork: {
      origin,
      program,
      run: { ...measuresOf(run), ...makeOf(origin, open && kept) },
      stored: {
        run: origin.id,
        instruction: kept,
        skipped,
        facts,
        ...(open
          ? {
              turn: open.length,
              forgivenTurn: forgivenIn(origin, { point, open, changed: Object.keys(change.was).length > 0 }),
            }
          : {}),
        ...defined({ baseline, walk, tried, memo }),
        ...(split && split.first <= kept ? { split } : {}),
      },
    },
  };
}

interface ProgramAsked {
  origin: Run;
  asked: ForkRequest;
  /** So many steps are inherited, the open one included. */
  kept: number;
  before: StoredProgram;
  whole: Draft;
  walk: ForkedWalk | undefined;
  isOpen: boolean;
}

function programOf({ origin, asked, kept, before, whole, walk, isOpen }: ProgramAsked): Draft {
  const isOver = kept >= before.instructions.length && !isOpen && (!walk || origin.walk?.ended === true);
  if (!asked.program && isOver) throw nothingLeft(origin, asked.at);
  if (!asked.program) return whole;
  if (!walk) return programAfter(whole, kept, asked.program);
  const steps = { instructions: before.instructions.slice(0, kept) };
  return programFromPlace(whole, { frames: walk.frames, isOpen, steps }, asked.program);
}

/** The open instruction was looked at already: no step of another run took its place. */
function makeOf({ make }: Run, open: number | undefined): Partial<Run> {
  if (!make) return {};
  const { from, strict } = make;
  return { make: { from, ...defined({ strict, executes: open }) } };
}

interface ChangeAsked {
  at: string;
  /** The program of the other run, and that of the new one. */
  before: Draft;
  program: Draft;
  pack: PromptPack | undefined;
}

/**
 * What is another from the fork on, for replays: the program and the prompts with which the inherited turns were asked.
 * If the other run is a fork itself, and was forked later in its history, these are what it had before that.
 */
function changeAt({ forks = [], pack: last }: TaskDocument, { at, before, program, pack = last }: ChangeAsked) {
  const point = readForkPoint(at);
  const isKept = (each: { at: string }): boolean => {
    const other = readForkPoint(each.at);
    return point !== undefined && other !== undefined && isEarlier(other, point);
  };
  const later = forks.filter((each) => !isKept(each));
  const was = {
    program: later.find((each) => each.program)?.program ?? before,
    pack: later.find((each) => each.pack)?.pack ?? last,
  };
  return {
    pack,
    earlier: forks.filter(isKept),
    was: {
      ...(versionOf(was.program) === versionOf(program) ? {} : { program: was.program }),
      ...(JSON.stringify(was.pack) === JSON.stringify(pack) ? {} : { pack: was.pack }),
    },
  };
}

/** With the models that it is to ask, each instruction beginning with the first of them. */
function changedRun(origin: Run, asked: ForkRequest): Run {
  const next = { ...origin, ...resumptionPatch(origin, asked) };
  const refused = whyNotWith(asked, origin, next);
  if (refused) throw refused;
  return { ...next, ...firstModelPatch(next) };
}

function optionsOf({ options }: Run, { pack }: ForkRequest): Run["options"] {
  const { out: _out, branch: _branch, ...kept } = options;
  return pack ? { ...kept, domain: pack.declaration.domain } : kept;
}

/** What was measured of the model holds on, and that a person was asked; what was paid does not. */
function measuresOf({ consent, models, asks, answerLimit, tokensPerByte, tokensPerSecond }: Run): Partial<Run> {
  return {
    tokensPerByte,
    tokensPerSecond,
    // A replay plays its planning, and asks where that was asked.
    ...defined({ consent }),
    ...(models ? { paid: models.map(() => 0) } : {}),
    ...(asks === undefined ? {} : { asks }),
    ...(answerLimit === undefined ? {} : { answerLimit }),
  };
}

interface OpenPoint {
  point: FoundForkPoint;
  open: JournalEntry[];
  /** It goes on with other prompts or another program. */
  changed: boolean;
}

/**
 * Turns of the open instruction that no longer count. With other prompts or another program none of them do, so that a
 * fresh conversation begins: what was asked before is asked with the old ones in any replay.
 */
function forgivenIn(origin: Run, { point, open, changed }: OpenPoint): number {
  const turns = open.map(({ turn }) => turn);
  if (changed || asksForParts(open)) return turns.length;
  const fresh = open.findLast(({ turn, answer, effects }) => {
    const opening = (answer?.inputs ?? effects?.inputs)?.opening;
    return turn.turn > 1 && (opening?.countsAnew || opening?.why === RESUMED);
  });
  const split = open.findLast(({ effects }) => effects?.draft);
  const isCurrent = origin.pc === point.done + 1 && origin.forgivenTurn <= turns.length;
  const forgivenTurn = Math.max(
    isCurrent ? origin.forgivenTurn : 0,
    fresh ? fresh.turn.turn - 1 : 0,
    split ? split.turn.turn : 0,
  );
  const next = nextTurn(turns, { instruction: point.done + 1, forgivenTurn, model: currentModelIndex(origin) });
  return next.do === "ask" ? forgivenTurn : turns.length;
}
