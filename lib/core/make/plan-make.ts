/** Foresees which steps of a run a new program takes over, and what the others may cost. Pure. */

import { compareStep } from "../step/compare-step.ts";
import { inOneLine, reasonsOf, staleWords } from "../step/reasons.ts";
import { differingParts, type StepKey, type StepReading, type StepRecord } from "../step/step-record.ts";
import { compileGlob } from "../text/glob.ts";
import { A_PERSON_IS_ASKED, NEW_STEP, NO_KEY, NOT_ACCEPTED, REQUIREMENTS_CHANGED } from "./made-words.ts";

/** A step of the run that exists. */
export interface SourceStep {
  number: number;
  title: string;
  /** Of what its instruction says. */
  own: string;
  /** Of its title and text. */
  instruction: string;
  accepted: boolean;
  /** Absent: an earlier version accepted it. */
  record?: StepRecord | undefined;
  /** Of what it hands over to the next step. */
  handsOver: string;
  microUsd: number;
  /** A question to a person. */
  asks?: true;
}

export interface NewStep {
  number: number;
  title: string;
  own: string;
  /** The numbers of the steps whose results it uses. Absent: the one before. */
  needs?: number[];
  asks?: true;
  /** The hand-over is not known yet. */
  key: Omit<StepKey, "handover">;
}

/** `check`: kept where checks run its code on the new tree and pass; otherwise executed, as `execute` is. */
export interface PlannedStep {
  number: number;
  title: string;
  decision: "copy" | "check" | "execute";
  why: string;
  /** The step that is taken over. */
  from?: number;
  /** A question to a person, which asks no model. */
  asks?: true;
}

export interface MakeRequest {
  source: SourceStep[];
  steps: NewStep[];
  /** What the first step is handed over. */
  begins: string;
  /** What a step without needs is handed over. */
  nothing: string;
  strict: boolean;
  /** The path of the project's notes. */
  notes: string | undefined;
  /** Of the hand-overs of several steps. */
  joinHandovers: (hashes: string[]) => string;
  /** Why all steps are stale. */
  stale?: string | undefined;
}

export function planSteps({
  source,
  steps,
  begins,
  nothing,
  strict,
  notes,
  stale,
  joinHandovers,
}: MakeRequest): PlannedStep[] {
  const tree = createForeseenTree(source);
  /** By number. Undefined: not known before it is executed. */
  const handsOver: (string | undefined)[] = [begins];
  const handedTo = ({ number, needs = [number - 1] }: NewStep): string | undefined => {
    if (needs.length === 0) return nothing;
    const hashes = needs.map((each) => handsOver[each]);
    return hashes.every((hash) => hash !== undefined) ? joinHandovers(hashes) : undefined;
  };
  return steps.map((step) => {
    const before = { handsOver: handedTo(step) };
    const asked = step.asks && foreseeAnswer(step, { source, steps, strict: strict || stale !== undefined });
    const planned =
      asked ?? (stale === undefined ? foresee(step, { source, tree, before, strict, notes }) : again(step, stale));
    const taken = source.find(({ number }) => number === planned.from);
    if (taken?.record && planned.decision !== "execute") tree.apply(taken);
    else tree.change(source.find(({ title, accepted }) => accepted && title === step.title));
    handsOver[step.number] = planned.decision === "execute" ? undefined : taken?.handsOver;
    return planned;
  });
}

interface Foreseeing {
  source: SourceStep[];
  tree: ForeseenTree;
  before: { handsOver: string | undefined };
  strict: boolean;
  notes: string | undefined;
}

const again = ({ number, title }: NewStep, why: string): PlannedStep => ({ number, title, decision: "execute", why });

/** A question that is asked several times gets the answers in their order. */
function foreseeAnswer(
  { number, title, own }: NewStep,
  { source, steps, strict }: Pick<MakeRequest, "source" | "steps" | "strict">,
): PlannedStep {
  const answers = source.filter((each) => each.own === own && each.accepted && each.record);
  const before = steps.filter((each) => each.own === own && each.number < number).length;
  const from = strict ? undefined : answers[before]?.number;
  const asks = true as const;
  if (from !== undefined) return { number, title, decision: "copy", why: "", from, asks };
  return { number, title, decision: "execute", why: A_PERSON_IS_ASKED, asks };
}

function foresee(step: NewStep, { source, tree, before, strict, notes }: Foreseeing): PlannedStep {
  const { number, title } = step;
  const same = source.filter(({ own }) => own === step.own);
  const accepted = same.filter((each) => each.accepted);
  const known = accepted.filter(({ record }) => record);
  if (known.length === 0) return again(step, whyNone(step, { source, same, accepted }));
  const judged = known.map((each) => ({ each, ...judge(each, step, { tree, before, notes }) }));
  const copied = judged.find(({ why }) => why === "");
  if (copied) return { number, title, decision: "copy", why: "", from: copied.each.number };
  const tried = strict ? [] : judged.filter(({ parts }) => parts.every((part) => part === "handover"));
  const checked = tried.find(({ staleTexts }) => staleTexts.length === 0);
  if (checked) return { number, title, decision: "check", why: checked.why, from: checked.each.number };
  const [stale] = tried;
  return again(step, stale ? `${stale.why}, and ${staleWords(stale.staleTexts)}` : (judged[0]?.why ?? NEW_STEP));
}

function whyNone(
  { key }: NewStep,
  { source, same, accepted }: { source: SourceStep[]; same: SourceStep[]; accepted: SourceStep[] },
): string {
  if (accepted.length > 0) return NO_KEY;
  if (same.length > 0) return NOT_ACCEPTED;
  return source.some(({ instruction }) => instruction === key.instruction) ? REQUIREMENTS_CHANGED : NEW_STEP;
}

function judge(
  { record, number }: SourceStep,
  { key }: NewStep,
  { tree, before, notes }: Pick<Foreseeing, "tree" | "before" | "notes">,
) {
  if (!record) return { why: NO_KEY, parts: [], staleTexts: [] };
  const parts = differingParts(record.key, { ...key, handover: before.handsOver ?? "" });
  const differences = compareStep(record, {
    isChanged: (reading) => tree.isChanged(reading, number),
    isConflict: ({ path, was }) => tree.value(path, was) !== was,
    isSame: tree.isWhole(number, record),
    notes,
  });
  return { why: inOneLine(reasonsOf(record, parts, differences)), parts, staleTexts: differences.staleTexts };
}

interface ForeseenTree {
  /** Undefined: a step that is executed again may write anything there. */
  value(path: string, recorded: string | null): string | null | undefined;
  isChanged(reading: StepReading, number: number): boolean;
  /** It holds what the steps before this one wrote, and nothing else. */
  isWhole(number: number, record: StepRecord): boolean;
  apply(step: SourceStep): void;
  /** Undefined: the run has no such step, and a file that it writes may stand in any list. */
  change(step: SourceStep | undefined): void;
}

function createForeseenTree(source: SourceStep[]): ForeseenTree {
  const start = new Map<string, string | null>();
  for (const { record } of source)
    for (const { path, was } of record?.writes ?? []) if (!start.has(path)) start.set(path, was);
  const now = new Map<string, string | null | undefined>();
  const applied = new Set<number>();
  const changed = new Set<string>();
  let isExecuted = false;
  let writesUnknown = false;

  const value: ForeseenTree["value"] = (path, recorded) => {
    if (now.has(path)) return now.get(path);
    return start.has(path) ? start.get(path) : recorded;
  };
  /** What was written before it in the run and is not there, or not the same, and what was written after it and is there. */
  const differing = (number: number): string[] => [
    ...changed,
    ...source
      .filter((each) => each.number !== number && each.number < number !== applied.has(each.number))
      .flatMap(({ record }) => record?.writes.map(({ path }) => path) ?? []),
  ];
  return {
    value,
    isChanged(reading, number) {
      if (reading.kind === "file") return value(reading.path, reading.sha256) !== reading.sha256;
      if (writesUnknown) return true;
      const paths = differing(number);
      if (reading.kind === "list") return paths.some((path) => path.startsWith(reading.prefix ?? ""));
      const glob = compileGlob(reading.glob ?? "");
      return paths.some((path) => "problem" in glob || glob.matches(path));
    },
    isWhole(number, { base }) {
      const before = source.filter((each) => each.number < number && (each.record?.writes.length ?? 1) > 0);
      const isExact = before.every((each) => applied.has(each.number)) && [...applied].every((each) => each < number);
      return base !== undefined && !isExecuted && isExact;
    },
    apply({ number, record }) {
      applied.add(number);
      for (const { path, sha256 } of record?.writes ?? []) now.set(path, sha256);
    },
    change(step) {
      isExecuted = true;
      writesUnknown ||= step === undefined;
      for (const { path } of step?.record?.writes ?? []) {
        now.set(path, undefined);
        changed.add(path);
      }
    },
  };
}
