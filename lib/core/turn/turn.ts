/** A turn: one model exchange and the effects of its tool calls. The index is in the registry, the bodies in files. */
import * as z from "zod";
import { Evidence } from "../evidence/evidence.ts";
import { LaneStepState } from "../program/ahead.ts";
import { Draft } from "../program/program.ts";
import { TurnReading } from "../step/step-record.ts";
import type { Json } from "../text/json.ts";
import { Amendment } from "../verdict/amendment.ts";
import { Verdict } from "../verdict/verdict.ts";
import { AcceptanceFacts } from "./acceptance-facts.ts";
import { LearnedDialect } from "./model-profile.ts";

export const FileEntry = z.object({
  path: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  lines: z.int(),
  instruction: z.int(),
  turn: z.int(),
});
export type FileEntry = z.infer<typeof FileEntry>;

/** What a turn did to one path. `sha256: null` is a deletion; `was` is what stood there before. */
export const PathChange = z.object({
  path: z.string(),
  sha256: z.string().nullable(),
  was: z.string().nullable(),
  bytes: z.int(),
});
export type PathChange = z.infer<typeof PathChange>;

export const TurnOutcome = z.enum([
  "tools", // the calls were run
  "accepted", // … and one of them completed the instruction
  "prose", // text instead of a call
  "cut", // the output limit ended the answer
  "timed_out",
  "context_exceeded",
  "answer", // no exchange: a person's answer became a file
  "discarded", // no exchange: what a skipped instruction changed was taken back
  "unused", // its lane gave the instruction up before the calls were run
]);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

/** Prompt inputs that cannot be derived from the journal: they are written down with the turn. */
export const TurnInputs = z.object({
  /** The first turn of a conversation has an opening; the rest follow it. `why` it was begun. */
  opening: z
    .object({
      listing: z.string(),
      note: z.string(),
      /** The program with its states around the instruction. */
      outline: z.string().optional(),
      /** Of the file of notes that the prompt pack names. Absent: there is none. */
      notes: z.string().optional(),
      why: z.string().optional(),
      /** While planning: which languages cannot be checked. Absent: none that the task names. */
      unchecked: z.string().optional(),
      /** The model does not reason by itself: it is asked for a sentence of thought before its calls. */
      asksThoughts: z.literal(true).optional(),
      /** The program that waits for approval, and what a person wants changed. */
      revision: z.object({ feedback: z.string(), program: Draft }).optional(),
      /** A person's help for this instruction. */
      hint: z.string().optional(),
      /** The hint came with it: turns before this one no longer count. */
      countsAnew: z.literal(true).optional(),
      /** What the system prompt states of the place where the code runs. */
      environment: z.string().optional(),
    })
    .optional(),
  /** Views and contents dropped from turns before this one. */
  elision: z.object({ views: z.int(), contents: z.int() }),
  /** What is left, as shown to the model at the end of the request. */
  left: z.string(),
  temperature: z.number().optional(),
  maxOutputTokens: z.int(),
  /** Its place in the run's list, where that is not the first. */
  model: z.int().optional(),
});
export type TurnInputs = z.infer<typeof TurnInputs>;

/** What one tool call answered. `about` lets a later turn know when the text has gone stale. */
export const ToolResult = z.object({
  callId: z.string(),
  tool: z.string(),
  ok: z.boolean(),
  text: z.string(),
  /** A word for watchers: `src/app.js`, `3 files`, `12 passed`. */
  note: z.string(),
  /** The call's arguments as JSON as they were taken, where the model wrote them in another form. */
  mended: z.string().optional(),
  about: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("view"), paths: z.array(z.string()) }),
    z.object({ kind: z.literal("verdict") }),
    /** Of the paths, those that are gone: files that were moved. */
    z.object({ kind: z.literal("write"), paths: z.array(z.string()), gone: z.array(z.string()).optional() }),
    z.object({ kind: z.literal("other") }),
  ]),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** `journal/…/<turn>-<attempt>.answer.json`: stored before any effect. */
/** It was parsed as JSON; a schema of itself would be documented by a reference that leads nowhere. */
const AnyJson = z.unknown() as unknown as z.ZodType<Json>;
const AnyJsonObject = z.record(z.string(), AnyJson);

export const AnswerBody = z.object({
  inputs: TurnInputs,
  /** SHA-256 of the request, so that a replay can say where it first differs. */
  requestHash: z.string(),
  /** The tools that were offered, where a conversation begins: they change with the program, and are recorded only here. */
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: AnyJsonObject })).optional(),
  requestBytes: z.int(),
  /** What it was reckoned at before the call. */
  contextTokens: z.int().optional(),
  answer: z.object({
    text: z.string(),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
    finish: z.enum(["stop", "tools", "cut", "filtered", "other"]),
    usage: z.object({ inputTokens: z.number(), cachedTokens: z.number(), outputTokens: z.number() }),
    continuation: z.object({ model: z.string(), items: z.array(AnyJson) }).optional(),
    usageEstimated: z.boolean().optional(),
    truncated: z.boolean().optional(),
    dialect: LearnedDialect.optional(),
    model: z.string(),
    requestId: z.string(),
    milliseconds: z.number(),
  }),
});
export type AnswerBody = z.infer<typeof AnswerBody>;

const Offer = z.object({ changes: z.string(), blocking: z.array(z.string()) });
export type Offer = z.infer<typeof Offer>;

/** `journal/…/<turn>-<attempt>.effects.json`: what the turn did, stored before it commits. */
export const EffectsBody = z.object({
  inputs: TurnInputs,
  results: z.array(ToolResult),
  /** What was said to a model that did not call a tool, or whose call failed. */
  correction: z.string(),
  verdicts: z.array(Verdict),
  /** Accepted tests that it asked to change, and why. */
  amendments: z.array(Amendment).optional(),
  /** Offers of the instruction that the gate refused: on which state of its changes, and what blocked. */
  offers: z.array(Offer).optional(),
  /** Evidence that it gathered. */
  evidence: z.array(Evidence).optional(),
  /** A person's answer, and the file that it became. */
  saved: z.object({ path: z.string(), text: z.string() }).optional(),
  /** What it was shown of the files as the instruction found them. */
  readings: z.array(TurnReading).optional(),
  /** What it wrote with the bytes that were there: no change, but it depends on them. */
  rewritten: z.array(z.object({ path: z.string(), sha256: z.string() })).optional(),
  /** Planning: the program as this turn left it. */
  draft: Draft.optional(),
  /** The turn completed its instruction: what holds of the run from then on. Turns of earlier versions lack it. */
  accepted: AcceptanceFacts.optional(),
});
export type EffectsBody = z.infer<typeof EffectsBody>;

/** What the turn's last checks counted. Absent: not looked for. */
export const CheckCounts = z.object({
  errors: z.int().optional(),
  passed: z.int().optional(),
  failed: z.int().optional(),
});
export type CheckCounts = z.infer<typeof CheckCounts>;

/** `RUN#id / TURN#<instruction>#<turn>` */
export const Turn = z.object({
  instruction: z.int(),
  turn: z.int(),
  epoch: z.int(),
  attempt: z.int(),
  /** Conversations of one instruction, numbered from 0; a restart begins the next. */
  segment: z.int(),
  state: z.enum(["answered", "committed"]),
  at: z.string(),
  answerKey: z.string().optional(),
  effectsKey: z.string().optional(),
  /** Of the bodies as they were stored. */
  answerSha256: z.string().optional(),
  effectsSha256: z.string().optional(),
  outcome: TurnOutcome.optional(),
  inputTokens: z.int(),
  cachedTokens: z.int(),
  outputTokens: z.int(),
  microUsd: z.int(),
  milliseconds: z.int(),
  changes: z.array(PathChange),
  /** Files that it showed the model. */
  read: z.array(z.string()).optional(),
  found: CheckCounts.optional(),
  /** What its calls did, in a line for watchers. */
  did: z.string().optional(),
  /** Why the instruction was not accepted, where it was offered in vain. */
  refused: z.string().optional(),
  /** What the server said, where it refused the request as too large. */
  serverSaid: z.string().optional(),
  /** Locked tests that it asked to change. */
  amended: z.array(z.string()).optional(),
  /** What the request was reckoned at. */
  contextTokens: z.int().optional(),
  /** Hash of files' state and tool calls: the same three times is a loop. */
  signature: z.string().optional(),
  /** The place in the run's list of the model that was asked, where that is not the first. */
  model: z.int().optional(),
  /** No model was asked: the step was taken over from this one of another run. */
  copied: z.object({ run: z.string(), instruction: z.int() }).optional(),
});
export type Turn = z.infer<typeof Turn>;

/** Of a turn in which no model answered. */
export const turnWithoutAnswer = ({ epoch, attempt }: Pick<Turn, "epoch" | "attempt">, now: number) => ({
  epoch,
  attempt,
  segment: 0,
  state: "committed" as const,
  at: new Date(now).toISOString(),
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  microUsd: 0,
  milliseconds: 0,
  changes: [],
});

/** A turn of a step, of any lane. */
export const StepTurn = Turn.extend({
  lane: z.int().optional().describe("The lane that took it ahead of the run. Absent: the run itself."),
  ahead: LaneStepState.optional().describe(
    "Of a lane: what became of its work. `dropped`: it is paid for, and nothing of it is in the run.",
  ),
});
export type StepTurn = z.infer<typeof StepTurn>;

/** Without what only the machine needs, to find their bodies again. */
export const TurnRecord = StepTurn.omit({ answerKey: true, effectsKey: true, answerSha256: true, effectsSha256: true });
export type TurnRecord = z.infer<typeof TurnRecord>;
