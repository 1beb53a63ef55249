/** The state of a step, recovered from the journal: where a handler starts, and starts again after a crash. */
import { hasExaminer } from "../../core/evidence/evidence-kind.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { type Conversation, type Exchange, lastingMessages } from "../../core/turn/conversation.ts";
import type { CountedRequest } from "../../core/turn/input-bound.ts";
import { currentModelIndex } from "../../core/turn/model-fallback.ts";
import type { AnswerBody, EffectsBody, Offer, Turn, TurnInputs } from "../../core/turn/turn.ts";
import { type Amendment, foldAmendments } from "../../core/verdict/amendment.ts";
import type { Commit } from "../../registry/commit.ts";
import { turnKey } from "../../registry/keys.ts";
import { createTree, type Tree } from "../files/tree.ts";
import { damagedItem } from "../files/verified-read.ts";
import type { World } from "../world.ts";
import { type JournalEntry, readEntry } from "./journal.ts";

export interface StepState {
  run: Run;
  /** Absent while planning. */
  instruction: Instruction | undefined;
  number: number;
  /** Committed turns. */
  entries: JournalEntry[];
  /** A turn that was answered, and whose tools have not run yet. */
  pending: { turn: Turn; answer: AnswerBody } | undefined;
  tree: Tree;
}

export interface RecoveryInput {
  run: Run;
  /** Absent while planning. */
  instruction?: Instruction;
  /** Paths that only the user changes. */
  given?: readonly string[] | undefined;
}

export async function recoverStep(world: World, { run, instruction, given }: RecoveryInput): Promise<StepState> {
  const number = instruction?.number ?? 0;
  const turns = await world.registry.turns(run.id, number);
  const entries = await Promise.all(turns.map((turn) => readEntry(world.files, turn)));
  const last = entries.at(-1);
  const pending = last?.turn.state === "answered" && last.answer ? { turn: last.turn, answer: last.answer } : undefined;
  const committed = pending ? entries.slice(0, -1) : entries;
  const tree = createTree({
    registry: world.registry,
    files: world.files,
    run,
    instruction: number,
    turns: [...(await unpackedBefore(world, run, number)), ...committed.map((entry) => entry.turn)],
    given,
  });
  refuseGaps(run, number, turns);
  return { run, instruction, number, entries: committed, pending, tree };
}

/** What the examiner wrote is packed with the first instruction. */
export const unpackedBefore = async (
  { registry }: Pick<World, "registry">,
  run: Run,
  number: number,
): Promise<Turn[]> => (number === 1 && hasExaminer(run) ? registry.turns(run.id, 0) : []);

/** Turns are numbered from 1; the run records the last one of its current instruction. */
function refuseGaps(run: Run, number: number, turns: Turn[]): void {
  const gap = turns.findIndex(({ turn }, index) => turn !== index + 1);
  const missing = gap < 0 ? turns.length + 1 : gap + 1;
  if (gap >= 0 || missing <= run.turn) throw damagedItem(turnKey(run.id, { instruction: number, turn: missing }));
}

/** Commits, and goes on with the run as it is then: the only way in which a step's run changes, beside a reservation. */
export async function commitRun(
  { registry }: Pick<World, "registry">,
  state: StepState,
  commit: Commit,
): Promise<void> {
  state.run = await registry.commit(state.run, commit);
}

export const turnsOf = (state: StepState): Turn[] => state.entries.map((entry) => entry.turn);

const exchangeOf = ({ turn, answer, effects }: JournalEntry): Exchange => ({
  turn: turn.turn,
  answer: answer?.answer.truncated ? undefined : answer?.answer,
  results: effects?.results ?? [],
  correction: effects?.correction ?? "",
});

export const exchangesOf = (state: StepState): Exchange[] => state.entries.map(exchangeOf);

export const exchangesIn = (state: StepState, segment: number): Exchange[] =>
  state.entries.filter((entry) => entry.turn.segment === segment).map(exchangeOf);

/** The inputs with which a conversation opened and those of its last turn. */
export function inputsOf(
  state: StepState,
  segment: number,
): { opening?: TurnInputs["opening"]; elision: TurnInputs["elision"] } {
  const inputs = state.entries.filter((entry) => entry.turn.segment === segment).map(inputsOfEntry);
  const elision = inputs.at(-1)?.elision ?? { views: 0, contents: 0 };
  const opening = inputs[0]?.opening;
  return opening ? { opening, elision } : { elision };
}

/** The last request of a conversation whose tokens the model that is asked now has counted. */
export function lastCounted(
  { run, entries }: StepState,
  { conversation, segment }: { conversation: Conversation; segment: number },
): CountedRequest | undefined {
  const place = currentModelIndex(run);
  const last = entries.findLast(
    ({ turn, answer }) => turn.segment === segment && (turn.model ?? 0) === place && isCounted(turn, answer),
  );
  if (!last?.answer) return undefined;
  const exchanges = conversation.exchanges.filter(({ turn }) => turn < last.turn.turn);
  const messages = lastingMessages({ ...conversation, exchanges }, last.answer.inputs.elision);
  return { messages, inputTokens: last.turn.inputTokens };
}

/** By the server, and settled as it said. */
const isCounted = ({ inputTokens }: Turn, answer: AnswerBody | undefined): boolean =>
  answer !== undefined &&
  !answer.answer.truncated &&
  !answer.answer.usageEstimated &&
  answer.answer.usage.inputTokens === inputTokens;

const inputsOfEntry = ({ answer, effects }: JournalEntry): TurnInputs | undefined => answer?.inputs ?? effects?.inputs;

/** The locked tests that this instruction may change, as amended so far. */
export const amendmentsOf = (state: StepState): Amendment[] =>
  foldAmendments(state.entries.flatMap((entry) => entry.effects?.amendments ?? []));

/** The offers of this instruction that were refused in its committed turns. */
export const offersOf = (state: StepState): Offer[] => state.entries.flatMap(({ effects }) => effects?.offers ?? []);

/** The program as planned so far. */
export const draftOf = (state: StepState): EffectsBody["draft"] =>
  state.entries.findLast((entry) => entry.effects?.draft)?.effects?.draft;
