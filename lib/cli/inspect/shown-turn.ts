/** Gathers what there is to show of one turn: its journal entry, what the model was shown, and the files it changed. */
import type { Entry } from "../../client/answers.ts";
import { messageOf, UserError } from "../../core/errors.ts";
import type { Run } from "../../core/run/run.ts";
import type { AnswerBody, EffectsBody, PathChange, TurnRecord } from "../../core/turn/turn.ts";
import { turnAddress } from "../../core/turn/turn-address.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { Connection } from "../runs/connection.ts";
import { diffFile, type FileDiff } from "./file-diff.ts";
import { type PromptBlock, promptBlocks } from "./prompt-blocks.ts";

export interface Prompt {
  /** None where it cannot be built again. */
  blocks: PromptBlock[];
  /** What is to be known of it, where it is not exactly what was sent. */
  note?: string;
}

export interface ShownTurn {
  record: TurnRecord;
  answer: AnswerBody | undefined;
  effects: EffectsBody | undefined;
  prompt: Prompt | undefined;
  /** Of the last turn of a lane whose work was dropped: what the gate found where it was to join. */
  tried: Verdict[];
  diffs: FileDiff[];
}

export interface TurnWish {
  record: TurnRecord;
  withPrompt: boolean;
  /** The pack on which its instruction was executed. */
  base: number;
}

export async function showTurn(
  connection: Connection,
  run: Run,
  { record, withPrompt, base }: TurnWish,
): Promise<ShownTurn> {
  const entry = await connection.turn(run.id, record);
  if (!entry) throw new UserError("The run was deleted meanwhile.", { exitCode: 2 });
  const { answer, effects } = entry;
  const prompt = withPrompt ? await promptOf(connection, run, entry) : undefined;
  const diffs = await diffsOf(connection, run, { record, base });
  return { record, answer, effects, prompt, tried: entry.tried?.verdicts ?? [], diffs };
}

async function promptOf(connection: Connection, run: Run, { turn: record, answer, effects }: Entry): Promise<Prompt> {
  if (record.state !== "committed") return { blocks: [], note: "It is known when the turn is committed." };
  if (record.outcome === "answer") return { blocks: [], note: "No model was asked: a person answered." };
  if (record.outcome === "discarded") return { blocks: [], note: "No model was asked: changes were reverted." };
  if (record.copied) return { blocks: [], note: `No model was asked: ${originOf(record, run)}.` };
  try {
    const sent = (await connection.requests(run, [record])).get(turnAddress(record));
    if (!sent) return { blocks: [], note: "A replay does not reach this turn." };
    const blocks = promptBlocks(sent.request, (answer ?? effects)?.inputs.left ?? "");
    return sent.isExact || !answer ? { blocks } : { blocks, note: REBUILT };
  } catch (error) {
    return { blocks: [], note: `It cannot be built again: ${messageOf(error)}` };
  }
}

/** What a lane of the run itself did is joined by such a turn. */
function originOf({ instruction: own, copied }: TurnRecord, { id }: Run): string {
  const { run: from = id, instruction = own } = copied ?? {};
  if (from !== id) return `taken over from instruction ${instruction} of ${from}`;
  return instruction === own ? "a lane had executed it, and it was joined" : `copied from instruction ${instruction}`;
}

const REBUILT = "Built again by this version of l2mac; what was sent differs somewhere.";

async function diffsOf(
  connection: Connection,
  run: Run,
  { record, base }: Omit<TurnWish, "withPrompt">,
): Promise<FileDiff[]> {
  const { turn, changes } = record;
  const changed = changes.filter(({ sha256, was }) => sha256 !== was);
  const before = turn > 1 ? turnAddress({ ...record, turn: turn - 1 }) : `${base}`;
  const states = { before, after: turnAddress(record) };
  return Promise.all(changed.map((change) => diffOf(connection, run, { change, ...states })));
}

async function diffOf(
  connection: Connection,
  run: Run,
  { change, before, after }: { change: PathChange; before: string; after: string },
): Promise<FileDiff> {
  const { path, sha256, was } = change;
  const [old, fresh] = await Promise.all([
    was === null ? undefined : connection.file(run.id, { path, at: before }),
    sha256 === null ? undefined : connection.file(run.id, { path, at: after }),
  ]);
  return diffFile({ path, before: old, after: fresh });
}
