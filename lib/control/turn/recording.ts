/** A run's journal played back: a model and an evaluator that answer what was answered, and notice what is asked. */
import { defined } from "../../core/defined.ts";
import { ModelError } from "../../core/errors.ts";
import type { Evaluator, Model, ToolSpec } from "../../core/ports.ts";
import type { ForkPoint } from "../../core/run/forks/fork-point.ts";
import type { InheritedCheck } from "../../core/run/forks/stored-fork.ts";
import type { OnStuck } from "../../core/run/options.ts";
import { lanesOf, type Run } from "../../core/run/run.ts";
import type { ModelCall } from "../../core/turn/first-difference.ts";
import type { Turn } from "../../core/turn/turn.ts";
import { isSameTurn, laneOfAttempt, type TurnAddress, turnAddress } from "../../core/turn/turn-address.ts";
import { notRun, type Verdict } from "../../core/verdict/verdict.ts";
import { baselineVerdict } from "../gate/baseline.ts";
import { aheadsOf, turnsAhead } from "../lanes/recorded-aheads.ts";
import { memosOf } from "../make/recalled-call.ts";
import { takingsOf } from "../make/recorded-takings.ts";
import { recordedChecks } from "../program/recorded-checks.ts";
import type { Recorded } from "../recorded.ts";
import type { World } from "../world.ts";
import { TRIED } from "./body-kinds.ts";
import { type JournalEntry, readBody, readEntry, requestHash } from "./journal.ts";

export interface Difference extends TurnAddress {
  what: string;
  /** The lines that differ, if the request that was sent is known. */
  excerpt?: string;
}

export interface Recording extends Recorded, Required<Pick<World, "inputsFor">> {
  model: Model;
  evaluator: Evaluator;
  /** What a person asked for, where the next turn to be played revises the program. */
  nextFeedback: () => string | undefined;
  /** What a person answered to the question of an instruction. */
  answerTo: (instruction: number) => string | undefined;
  /** Turns that are still to be played, up to the next fork that changed something. */
  left: () => number;
  /** The same with the checks and answers that are still to be taken. */
  unplayed: () => number;
  /** That fork is done: the turns after it are to be played. */
  passFork: () => void;
  played: () => number;
  difference: () => Difference | undefined;
  /** What is asked now where the first difference is. */
  request: () => ModelCall | undefined;
  /** Whether this is, byte for byte, what was asked at that turn. */
  wasAsked: (at: TurnAddress, request: ModelCall) => boolean;
  /** The tools that were offered then. */
  toolsAt: (at: TurnAddress) => ToolSpec[] | undefined;
}

export interface RecordingOptions {
  /** Gets what is asked at each turn. */
  onCall?: ((at: TurnAddress, asked: ModelCall) => void) | undefined;
  /** Points at which the program or the prompts became others. */
  forks?: ForkPoint[];
}

export async function record(world: World, run: Run, options: RecordingOptions = {}): Promise<Recording> {
  const { onCall } = options;
  const forks = [...(options.forks ?? [])];
  const { committed, entries, answers } = await journalOf(world, run);
  const ends = forks.map((fork) => entries.filter(({ turn }) => isBefore(turn, fork)).length);
  const end = (): number => ends[0] ?? entries.length;
  const verdicts = await recordedVerdicts(world, run, committed);
  const checks = run.walk ? await recordedChecks(world, run) : [];
  let next = 0;
  let nextVerdict = 0;
  let difference: Difference | undefined;
  let request: ModelCall | undefined;

  return {
    nextFeedback: () => entries.slice(0, end())[next]?.effects?.inputs.opening?.revision?.feedback,
    left: () => end() - next,
    unplayed: () => end() - next + checks.length + answers.size,
    passFork: () => void [ends.shift(), forks.shift()],
    played: () => next,
    difference: () => difference,
    request: () => request,
    wasAsked: (at, asked) => entryAt(entries, at)?.answer?.requestHash === requestHash(asked),
    toolsAt: (at) => toolsOffered(entries, at),
    ...recordedInputs(entries),
    ...recordedFacts(forks, { answers, checks }),
    aheadAt: await aheadsOf(world, run),
    takingAt: takingsOf(world, run),
    memoAt: memosOf(world, run),
    onStuckAt: (at) => whenStuck(at, { run, entries }),
    model: {
      async ask({ messages, tools }, signal) {
        signal?.throwIfAborted();
        const asked = { messages, tools };
        const entry = next < end() ? entries[next] : undefined;
        if (!entry) throw new ModelError("The journal ends here.", { kind: "refused", perhapsPaid: false });
        next += 1;
        onCall?.(placeOf(entry), asked);
        if (entry.answer && requestHash(asked) !== entry.answer.requestHash) {
          if (!difference) request = asked;
          difference ??= { ...placeOf(entry), what: "the request differs from the one that was sent" };
        }
        return answerOf(entry);
      },
    },
    evaluator: {
      isRecorded: true,
      async evaluate({ smoke, delivered }, signal) {
        signal?.throwIfAborted();
        // What was delivered is not part of the journal: it was tried once.
        if (smoke || delivered) return notRun("nothing_to_check");
        const verdict = verdicts[nextVerdict];
        nextVerdict += 1;
        if (verdict) return verdict;
        const entry = entries[next - 1];
        if (entry) difference ??= { ...placeOf(entry), what: "an evaluation was asked for that the run did not make" };
        return notRun("nothing_to_check");
      },
    },
  };
}

const entryAt = (entries: JournalEntry[], at: TurnAddress): JournalEntry | undefined =>
  entries.find((entry) => isSameTurn(placeOf(entry), at));

/** Each answer is given once. */
function take(answers: Map<number, string>, instruction: number): string | undefined {
  const text = answers.get(instruction);
  answers.delete(instruction);
  return text;
}

function recordedInputs(entries: JournalEntry[]): Pick<Recording, "inputsFor"> {
  const inputs = new Map(entries.map((entry) => [turnAddress(placeOf(entry)), inputsOf(entry)]));
  return { inputsFor: (at, now) => inputs.get(turnAddress(at)) ?? now };
}

/** What came after a fork that changed something is not for the program before it. */
function recordedFacts(
  forks: ForkPoint[],
  { answers, checks }: { answers: Map<number, string>; checks: InheritedCheck[] },
): Pick<Recording, "answerTo" | "checkedAt" | "takesOverAt"> {
  return {
    answerTo: (instruction) => (isBeyond(forks[0], instruction - 1) ? undefined : take(answers, instruction)),
    checkedAt: (at) => (isBeyond(forks[0], at.instruction) ? undefined : takeCheck(checks, at)),
    takesOverAt: (instruction) => !isBeyond(forks[0], instruction - 1),
  };
}

/** After so many instructions. */
const isBeyond = (fork: ForkPoint | undefined, done: number): boolean => fork !== undefined && done >= fork.instruction;

const inputsOf = ({ answer, effects }: JournalEntry) => answer?.inputs ?? effects?.inputs;

const isBefore = ({ instruction, turn }: TurnAddress, fork: ForkPoint): boolean =>
  instruction < fork.instruction || (instruction === fork.instruction && turn <= (fork.turn ?? turn));
/** Before the turns of an instruction comes what was found when a step of another run was tried in its place. */
async function verdictsIn({ registry, files }: World, run: Run, entries: JournalEntry[]): Promise<Verdict[]> {
  const tried = new Map<number, Verdict[]>();
  for (const { number, tried: stored } of run.make || run.walk || lanesOf(run) > 1
    ? await registry.instructions(run.id)
    : []) {
    if (!stored) continue;
    const { verdicts } = await readBody(files, { key: stored.body, hash: stored.sha256 }, TRIED);
    tried.set(number, verdicts);
  }
  const shown = new Set<number>();
  const verdicts: Verdict[] = [];
  for (const { turn, effects } of entries) {
    for (const [number, found] of tried) {
      if (laneOf(turn) !== undefined || number > turn.instruction || shown.has(number)) continue;
      shown.add(number);
      verdicts.push(...found);
    }
    verdicts.push(...(effects?.verdicts ?? []));
  }
  const rest = [...tried].filter(([number]) => !shown.has(number));
  return [...verdicts, ...rest.flatMap(([, found]) => found)];
}

const toolsOffered = (entries: JournalEntry[], at: TurnAddress): ToolSpec[] | undefined =>
  entries.findLast(({ turn, answer }) => answer?.tools && isOfStep(turn, at) && turn.turn <= at.turn)?.answer?.tools;

/** What was not resumed was skipped, if the run went on. */
function whenStuck(at: TurnAddress, { run, entries }: { run: Run; entries: JournalEntry[] }): OnStuck {
  const wasResumed = entries.some(({ turn }) => isOfStep(turn, at) && turn.turn > at.turn);
  return !wasResumed && (run.skipping || run.pc > at.instruction) ? "skip" : "stop";
}

interface RecordedJournal {
  committed: JournalEntry[];
  /** With a model call. */
  entries: JournalEntry[];
  answers: Map<number, string>;
}

/** The turns with a model, and what a person answered in between, by instruction. */
async function journalOf(world: World, run: Run): Promise<RecordedJournal> {
  const committed = await committedEntries(world, run);
  const answered = committed.filter(({ turn }) => turn.outcome === "answer" && turn.copied === undefined);
  return {
    committed,
    entries: committed.filter(({ turn }) => turn.outcome !== "answer" && turn.copied === undefined),
    answers: new Map(answered.map(({ turn, effects }) => [turn.instruction, effects?.saved?.text ?? ""])),
  };
}

async function recordedVerdicts(world: World, run: Run, entries: JournalEntry[]): Promise<Verdict[]> {
  const baseline = await world.registry.baseline(run.id);
  const start = baseline ? [await baselineVerdict(world, baseline)] : [];
  // What was never sent to an evaluator carries no request id.
  const asked = (await verdictsIn(world, run, entries)).filter(({ requestId }) => requestId !== "");
  return [...start, ...asked];
}

/** Each is taken once: a run that was resumed checked again. */
function takeCheck(checks: InheritedCheck[], { instruction, place }: { instruction: number; place: string }) {
  const at = checks.findIndex((each) => each.instruction === instruction && each.place === place);
  const [check] = at < 0 ? [] : checks.splice(at, 1);
  return check && { holds: check.holds, detail: check.detail, ...defined({ output: check.output }) };
}

async function committedEntries({ registry, files }: World, run: Run): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const ahead = await turnsAhead({ registry }, run);
  for (let instruction = 0; instruction <= Math.max(run.pc, 0); instruction += 1) {
    const turns = [...(ahead.get(instruction - 1) ?? []), ...(await registry.turns(run.id, instruction))];
    // The rollback of a skipped instruction has no model call.
    const committed = turns.filter((turn) => turn.state === "committed" && turn.outcome !== "discarded");
    entries.push(...(await Promise.all(committed.map((turn) => readEntry(files, turn)))));
  }
  return entries;
}

const laneOf = ({ attempt }: Turn): number | undefined => laneOfAttempt(attempt);
const placeOf = ({ turn }: JournalEntry): TurnAddress => ({
  instruction: turn.instruction,
  turn: turn.turn,
  ...defined({ lane: laneOf(turn) }),
});
/** The lane that executed it, or the run itself, is the same. */
const isOfStep = (turn: Turn, at: TurnAddress): boolean =>
  turn.instruction === at.instruction && laneOf(turn) === at.lane;

function answerOf({ turn, answer }: JournalEntry) {
  if (answer) return answer.answer;
  const kind = turn.outcome === "context_exceeded" ? "context_exceeded" : "timed_out";
  throw new ModelError("This call had no answer.", { kind, perhapsPaid: false });
}
