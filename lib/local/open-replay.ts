/** Replays a run whose journal was fetched from elsewhere: nothing of it is stored on this computer. */
import type { z } from "zod";
import type { StoredProgram } from "../control/program/stored-program.ts";
import { putTask } from "../control/program/stored-task.ts";
import { ANSWER, EFFECTS, TRIED } from "../control/turn/body-kinds.ts";
import { bodyOf, type JournalEntry } from "../control/turn/journal.ts";
import type { World } from "../control/world.ts";
import { UserError } from "../core/errors.ts";
import type { TriedVerdicts } from "../core/make/inherited-steps.ts";
import type { FileStore } from "../core/ports.ts";
import { type Draft, draftOf, type Instruction } from "../core/program/program.ts";
import { draftFromData } from "../core/program/program-text.ts";
import type { PromptPack } from "../core/prompt/prompt.ts";
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import type { TaskDocument } from "../core/run/task.ts";
import type { FileEntry, StepTurn } from "../core/turn/turn.ts";
import type { TurnAddress } from "../core/turn/turn-address.ts";
import { readProjectFont } from "../files/project-fonts.ts";
import { createMemoryFiles } from "../host/memory-files.ts";
import { openSqliteTable } from "../host/sqlite-table.ts";
import { systemClock } from "../host/system-clock.ts";
import { packTree } from "../pack/pack.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import { createRegistry } from "../registry/registry.ts";
import { createProjectEpochs } from "./machine.ts";
import { type ReplayParts, type ReplayResult, replayRun, requestsAt, type SentRequest } from "./replay.ts";

type FetchedEntry = { turn: StepTurn; tried?: z.infer<typeof TriedVerdicts> | undefined } & Partial<JournalEntry>;

export interface FetchedJournal {
  run: Run;
  task: TaskDocument;
  program: StoredProgram;
  entries: FetchedEntry[];
  start: ReadonlyMap<string, Uint8Array>;
  files: FileEntry[];
  /** What was found out of its program. */
  checks: Event[];
}

export const replayFetched = (journal: FetchedJournal, pack?: PromptPack): Promise<ReplayResult> =>
  withJournal(journal, (parts) => replayRun({ ...parts, pack }));

export const requestsFetched = (journal: FetchedJournal, wanted: TurnAddress[]): Promise<Map<string, SentRequest>> =>
  withJournal(journal, (parts) => requestsAt(parts, wanted));

async function withJournal<Result>(
  journal: FetchedJournal,
  use: (parts: ReplayParts) => Promise<Result>,
): Promise<Result> {
  refuseUnfetched(journal);
  const table = openSqliteTable(":memory:");
  try {
    const turns = journal.entries.map(({ turn }) => withoutHashes(turn));
    const files = createMemoryFiles();
    await store(files, journal);
    const instructions = await withTried(files, journal);
    const registry: World["registry"] = {
      ...createRegistry({ table, clock: systemClock }),
      turns: async (_, instruction) => turns.filter((each) => each.instruction === instruction && !each.lane),
      aheadTurns: async (_, instruction) =>
        turns.filter((each) => each.instruction === instruction && each.lane !== undefined),
      allFiles: async () => journal.files,
      instructions: async () => instructions,
      requirements: async () => journal.program.requirements,
      events: async (_, { after }) => journal.checks.filter(({ seq }) => seq > after),
    };
    const world = {
      registry,
      files,
      clock: systemClock,
      random: Math.random,
      model: noModel,
      evaluator: NOTHING,
      readFont: readProjectFont,
    };
    return await use({ world, compute: createProjectEpochs(), run: journal.run, program: draftIn(journal.program) });
  } finally {
    table.close();
  }
}

/** What these began with is no part of a journal that is fetched. */
function refuseUnfetched(journal: FetchedJournal): void {
  const { run } = journal;
  const how = unfetched(journal);
  if (how === undefined) return;
  throw new UserError(`Run ${run.id} ${how}: it can be replayed only on the computer that has it.`, {
    exitCode: 2,
    remedy: { command: "log", args: [run.id] },
  });
}

function unfetched({ run, task: { frames }, program }: FetchedJournal): string | undefined {
  if (program.instructions.some(({ memo }) => memo)) return "took over steps of earlier calls";
  if (run.make) return "took over steps of another run";
  return frames?.some(({ list }) => list !== undefined) ? "began inside a loop of its program" : undefined;
}

function draftIn({ tree, ...program }: StoredProgram): Draft {
  const read = tree ? draftFromData({ requirements: program.requirements, instructions: tree }) : draftOf(program);
  if ("problem" in read) throw new Error(`The program cannot be read: ${read.problem}`);
  return read;
}

/** A replay asks its recording alone. */
const noModel = async (): Promise<never> => {
  throw new Error("A replay asks no model.");
};
const NOTHING: World["evaluator"] = { evaluate: noModel };

/** Where it was fetched from its bodies were checked; they are stored here again, in other bytes. */
const withoutHashes = ({ answerSha256: _answer, effectsSha256: _effects, ...turn }: StepTurn): StepTurn => turn;

/** What the gate found where the work of a lane was to join. */
async function withTried(files: FileStore, { run, program, entries }: FetchedJournal): Promise<Instruction[]> {
  const instructions = new Map(program.instructions.map((each) => [each.number, each]));
  for (const { turn, tried } of entries) {
    const instruction = instructions.get(turn.instruction);
    if (!tried || !instruction) continue;
    const { bytes, hash } = bodyOf(TRIED, tried);
    const body = fileStoreKeys(run.id).tried(turn.instruction, turn.attempt);
    await files.put(body, bytes);
    instructions.set(turn.instruction, { ...instruction, tried: { body, sha256: hash } });
  }
  return [...instructions.values()];
}

async function store(files: FileStore, { run, task, entries, start }: FetchedJournal): Promise<void> {
  const keys = fileStoreKeys(run.id);
  await putTask(files, run.id, task);
  const changes = [...start].map(([path, content]) => ({ path, content }));
  await files.put(keys.pack(0), packTree(undefined, changes));
  for (const { turn, answer, effects } of entries) {
    if (turn.answerKey && answer) await files.put(turn.answerKey, bodyOf(ANSWER, answer).bytes);
    if (turn.effectsKey && effects) await files.put(turn.effectsKey, bodyOf(EFFECTS, effects).bytes);
  }
}
