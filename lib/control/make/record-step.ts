/** The record of a step, made of its turns when it is accepted. */
import type { StepKey, StepReading, StepRecord, StepReference, StepWrite } from "../../core/step/step-record.ts";
import { categoryOf } from "../../core/turn/tools.ts";
import type { EffectsBody, Turn } from "../../core/turn/turn.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { filesBefore, hashOfFiles } from "../evidence/trees.ts";
import { STEP } from "../turn/body-kinds.ts";
import { handoverFor } from "../turn/first-message.ts";
import { bodyOf } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { storedHash } from "./readings.ts";
import { handoverHash, keyHash, ownParts, requirementTexts, sharedParts } from "./step-key.ts";

export interface TurnDone {
  turn: Turn;
  effects: EffectsBody | undefined;
}

export interface FinishedStep {
  record: StepRecord;
  /** Committed with the acceptance. */
  reference: StepReference;
}

/** Stores the record. `taken`: of the step that was taken over. */
export async function storeStepRecord(
  step: OpenStep,
  last: TurnDone,
  taken?: StepRecord,
): Promise<FinishedStep | undefined> {
  const { world, state } = step;
  const key = keyOfStep(step);
  if (!key) return undefined;
  const { run } = state;
  const turns = [...state.entries, last];
  const folded = foldTurns(key, turns);
  const record = taken ? inherit(folded, taken) : folded;
  const used = turns.flatMap(({ effects }) => effects?.results.map(({ tool }) => tool) ?? []);
  const ran = taken ? taken.ran !== false : used.some((tool) => categoryOf(tool) === "run");
  const hasChecked = taken ? taken.base !== undefined : used.some(showsChecks);
  const base = ran || hasChecked ? { base: await baseOf(step) } : {};
  const shown = await readNotes(step, { ...record, ran, ...base });
  const { bytes, hash } = bodyOf(STEP, shown);
  const body = fileStoreKeys(run.id).step({ ...last.turn, attempt: run.attempt });
  await world.files.put(body, bytes);
  return { record: shown, reference: { key: keyHash(key), body, sha256: hash } };
}

/** What proves is executed again where the step is taken over. */
const showsChecks = (tool: string): boolean => categoryOf(tool) === "check" && tool !== "prove";

/** What it wrote that was there already is a dependency still. */
const inherit = (record: StepRecord, { touched, writes }: StepRecord): StepRecord => ({
  ...record,
  touched: [...new Set([...record.touched, ...touched])],
  writes: [
    ...record.writes,
    ...writes
      .filter(({ path }) => !record.writes.some((each) => each.path === path))
      .map(({ path, sha256 }) => ({ path, sha256, was: sha256 })),
  ],
});

/** Names the tree as the instruction found it. */
export const baseOf = async (step: OpenStep): Promise<string> => hashOfFiles(await filesBefore(step));

/** Of the instruction as it is asked now. Undefined while planning. */
export function keyOfStep({ document, tools, state: { run }, context }: OpenStep): StepKey | undefined {
  const { instruction, needed = [], requirements } = context;
  if (!instruction) return undefined;
  return {
    ...ownParts(instruction, requirementTexts(requirements)),
    ...sharedParts({ document, requirements, tools, run }),
    handover: handoverHash(needed, handoverFor(document, instruction)),
  };
}

export function foldTurns(key: StepKey, turns: TurnDone[]): StepRecord {
  const touched = new Set<string>();
  const writes = new Map<string, StepWrite>();
  const readings = new Map<string, StepReading>();
  for (const { turn, effects } of turns) {
    for (const reading of effects?.readings ?? []) keepReading(reading);
    for (const { path, sha256, was } of turn.changes) {
      touched.add(path);
      writes.set(path, { path, sha256, was: (writes.get(path) ?? { was }).was });
    }
    for (const { path, sha256 } of effects?.rewritten ?? [])
      if (!writes.has(path)) writes.set(path, { path, sha256, was: sha256 });
  }
  return {
    key,
    touched: [...touched],
    // What was put back depends on what was there, too.
    writes: [...writes.values()],
    readings: [...readings.values()],
  };

  function keepReading(reading: NonNullable<EffectsBody["readings"]>[number]): void {
    if (reading.kind === "file") keep(reading);
    else {
      for (const path of reading.own) touched.add(path);
      keep({ ...reading, own: touched.size });
    }
  }

  /** Asked twice, with nothing changed between: the same answer. */
  function keep(reading: StepReading): void {
    const name = reading.kind === "file" ? ["file", reading.path] : { ...reading, hash: "" };
    if (!readings.has(JSON.stringify(name))) readings.set(JSON.stringify(name), reading);
  }
}

/** The project's notes are in every prompt. Where the step changed them, what it found is with its changes. */
async function readNotes({ world, state: { run }, document }: OpenStep, record: StepRecord): Promise<StepRecord> {
  const path = document.pack.declaration.notes;
  if (path === undefined || record.touched.includes(path)) return record;
  if (record.readings.some((reading) => reading.kind === "file" && reading.path === path)) return record;
  const sha256 = await storedHash({ registry: world.registry, runId: run.id }, path);
  return { ...record, readings: [...record.readings, { kind: "file", path, sha256 }] };
}
