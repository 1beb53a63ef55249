/** Formats of the JSON bodies in the file store, and the functions that upgrade older ones. Pure. */
import * as z from "zod";
import { Evidence } from "../../core/evidence/evidence.ts";
import { Inheritance, InheritedSteps, TriedVerdicts } from "../../core/make/inherited-steps.ts";
import { MemoSteps } from "../../core/make/recalled-call.ts";
import { Draft } from "../../core/program/program.ts";
import { StoredFork } from "../../core/run/forks/stored-fork.ts";
import { StoredTask } from "../../core/run/task.ts";
import { Step } from "../../core/step/step.ts";
import { StepRecord } from "../../core/step/step-record.ts";
import { AnswerBody, EffectsBody } from "../../core/turn/turn.ts";
import { StoredBaseline } from "../../core/verdict/known-red.ts";
import { TestLocks } from "../../core/verdict/test-locks.ts";
import { Verdict } from "../../core/verdict/verdict.ts";

export type Fields = Record<string, unknown>;

export interface BodyKind<S extends z.ZodType> {
  schema: S;
  /** What this version writes. */
  format: number;
  /** By the format of the body that is upgraded: makes one of the next format. */
  upgrades: Readonly<Record<number, (body: Fields) => Fields>>;
}

const firstFormat = <S extends z.ZodType>(schema: S): BodyKind<S> => ({ schema, format: 1, upgrades: {} });

/** A format that goes up adds its upgrade: `{ schema: AnswerBody, format: 2, upgrades: { 1: (body) => ({ … }) } }`. */
export const ANSWER = firstFormat(AnswerBody);
export const EFFECTS = firstFormat(EffectsBody);
export const TASK = firstFormat(StoredTask);
export const PROGRAM = firstFormat(Draft);
export const BASELINE = firstFormat(Verdict);
export const ITEMS = firstFormat(z.object({ items: z.array(z.json()) }));
export const FORK = firstFormat(StoredFork);
export const STEP = firstFormat(StepRecord);
export const INHERITANCE = firstFormat(Inheritance);
export const INHERITED = firstFormat(InheritedSteps);
/** `evidence`: of a run that asks for it. Absent there: an earlier version took the step. */
export const LANE_FACTS = firstFormat(
  z.object({ testLocks: TestLocks, baseline: StoredBaseline.optional(), evidence: z.array(Evidence).optional() }),
);
/** Of a lane. */
export const AHEAD = firstFormat(Step);
export const MEMO = firstFormat(MemoSteps);
export const TRIED = firstFormat(TriedVerdicts);

const FIRST = 1;

/** A body without a format is of the first one, as all were that the first versions wrote. */
export const formatOfBody = (body: unknown): unknown => (isFields(body) && "format" in body ? body.format : FIRST);

/** The body in the format of this version. Undefined: a newer version wrote it, or one that is too old. */
export function upgradeBody(
  { format, upgrades }: Pick<BodyKind<z.ZodType>, "format" | "upgrades">,
  body: unknown,
): unknown {
  const from = formatOfBody(body);
  if (from === format || !isFields(body)) return body;
  if (typeof from !== "number") return undefined;
  let upgraded: Fields | undefined = from < format ? body : undefined;
  for (let at = from; upgraded && at < format; at += 1) upgraded = upgrades[at]?.(upgraded);
  return upgraded && withFormat(upgraded, format);
}

/** With the format that this version writes; the first one is not written. */
export const ofKind = ({ format }: Pick<BodyKind<z.ZodType>, "format">, body: object): object =>
  withFormat({ ...body }, format);

function withFormat({ format: _before, ...body }: Fields, format: number): Fields {
  return format === FIRST ? body : { ...body, format };
}

const isFields = (body: unknown): body is Fields => typeof body === "object" && body !== null && !Array.isArray(body);
