/** What a watcher can see. Events are numbered within their run and written in the transaction of what they tell. */
import * as z from "zod";
import { MadeEvent } from "../make/made-event.ts";
import { AnsweredEvent, AskedEvent } from "../program/question.ts";
import { StuckReason } from "../turn/stuck.ts";
import { Amendment } from "../verdict/amendment.ts";
import { GivenCount } from "../verdict/given-tests.ts";
import { EvaluatorRequest, Scope } from "../verdict/verdict.ts";
import { ForkedEvent } from "./forks/forked-event.ts";
import { laneEvents } from "./lanes/lane-events.ts";
import { Effort, OnStuck } from "./options.ts";

/** `files`: how many it read, wrote or deleted; `reason`: why it was refused. Events of earlier versions have neither. */
const tool = z.object({
  name: z.string(),
  ok: z.boolean(),
  note: z.string(),
  files: z.int().optional(),
  reason: z.string().optional(),
});

const ofPlanning = { given: z.literal(true).optional(), examining: z.literal(true).optional() };
/** Absent: the run itself, which goes through its program in order. */
const ofLane = { lane: z.int().optional() };

export const EventBody = z.discriminatedUnion("type", [
  z.object({ type: z.literal("created"), task: z.string() }).describe("The run was created."),
  ForkedEvent,
  ...laneEvents,
  z
    .object({ type: z.literal("planning"), attempt: z.number(), ...ofPlanning })
    .describe("Planning began. `given`: its program is stored. `examining`: the checks are written."),
  z
    .object({
      type: z.literal("program"),
      titles: z.array(z.string()),
      instructions: z.number(),
      requirements: z.number(),
      uncovered: z.array(z.string()),
      /** Of a program with more kinds than `do`, whose steps are not known before: how many at most. */
      mostSteps: z.number().optional(),
    })
    .describe("The program was stored."),
  z
    .object({
      type: z.literal("baseline"),
      syntax: z.string(),
      tests: z.string(),
      passed: z.number(),
      failed: z.number(),
      errors: z.number(),
      /** What is red, and does not block. */
      knownRed: z.number(),
    })
    .describe("The files that the run starts from were judged."),
  z
    .object({
      type: z.literal("instruction_started"),
      instruction: z.number(),
      title: z.string(),
      attempt: z.number(),
      resumedAtTurn: z.number(),
      ...ofLane,
    })
    .describe("An instruction began, or continued after an interruption."),
  z
    .object({
      type: z.literal("turn"),
      ...ofLane,
      instruction: z.number(),
      turn: z.number(),
      outcome: z.string(),
      tools: z.array(tool),
      inputTokens: z.number(),
      cachedTokens: z.number(),
      outputTokens: z.number(),
      microUsd: z.number(),
      milliseconds: z.number(),
      contextTokens: z.number(),
      /** Where the run has several. */
      model: z.string().optional(),
      /** When the answer was stored, and the model that gave it if it is not the one that was asked. */
      answeredAt: z.string().optional(),
      answeredBy: z.string().optional(),
      /** The server said more than can be: the reservation is charged. */
      reserved: z.literal(true).optional(),
    })
    .describe("One exchange with the model, with its tool calls."),
  z
    .object({
      type: z.literal("model_changed"),
      instruction: z.number(),
      turn: z.number(),
      from: z.string(),
      to: z.string(),
      why: z.string(),
    })
    .describe("The next model of the list took over."),
  z
    .object({
      type: z.literal("verdict"),
      ...ofLane,
      instruction: z.number(),
      turn: z.number(),
      syntax: z.string(),
      tests: z.string(),
      passed: z.number(),
      failed: z.number(),
      errors: z.number(),
      /** Of these, tests that ended with an error and files of tests that could not be loaded. */
      testErrors: z.number().optional(),
      gate: z.enum(["accepted", "unchecked", "blocked", "none"]),
      detail: z.string(),
      /** Why the gate did not accept: what blocks, with its first place. */
      refusal: z.array(z.string()).optional(),
      /** How much was looked at, where it was not everything. */
      scope: z.object({ syntax: Scope.optional(), tests: Scope.optional() }).optional(),
      /** What was red before the run began, and is not counted. */
      knownRed: z.number().optional(),
      evaluator: EvaluatorRequest.optional(),
    })
    .describe("What the evaluator found, and whether the gate accepted."),
  z
    .object({
      type: z.literal("instruction_accepted"),
      instruction: z.number(),
      title: z.string(),
      turns: z.number(),
      microUsd: z.number(),
      milliseconds: z.number(),
      filesWritten: z.number(),
      unchecked: z.boolean(),
      tests: z.object({ passed: z.number(), total: z.number() }),
      /** Of those, the tests that the user gave. */
      given: GivenCount.optional(),
      /** What was red before the run began: how much of it still is, and how much it mended. */
      knownRed: z.number().optional(),
      mended: z.number().optional(),
      /** No file was changed. */
      unchanged: z.literal(true).optional(),
    })
    .describe("An instruction was accepted and packed."),
  MadeEvent,
  z
    .object({
      type: z.literal("amended"),
      instruction: z.number(),
      turn: z.number(),
      amendments: z.array(Amendment),
    })
    .describe("Locked tests were changed, each with a reason."),
  z
    .object({
      type: z.literal("checked"),
      instruction: z.number(),
      place: z.string(),
      text: z.string(),
      /** Absent: it was counted. */
      holds: z.boolean().optional(),
      detail: z.string(),
      /** What a command or tests printed that failed. */
      output: z.string().optional(),
    })
    .describe("A condition of the program was checked, or the items of a loop were counted."),
  z
    .object({ type: z.literal("restarted"), instruction: z.number(), turn: z.number(), why: z.string() })
    .describe("The conversation of an instruction began again."),
  z
    .object({ type: z.literal("loop"), instruction: z.number(), turn: z.number(), measure: z.string() })
    .describe("The model repeats itself; a measure was taken."),
  z
    .object({
      type: z.literal("trapped"),
      instruction: z.number(),
      turn: z.number(),
      title: z.string(),
      trap: StuckReason,
      onTrap: OnStuck,
    })
    .describe("An instruction is stuck."),
  z
    .object({
      type: z.literal("instruction_skipped"),
      instruction: z.number(),
      title: z.string(),
      why: z.string(),
      /** Whose changes were taken back. */
      paths: z.number(),
      turns: z.number(),
      microUsd: z.number(),
      milliseconds: z.number(),
    })
    .describe("A stuck instruction was skipped and its changes were reverted."),
  z
    .object({
      type: z.literal("split"),
      instruction: z.number(),
      title: z.string(),
      /** What is in its place. */
      titles: z.array(z.string()),
      /** Of the program now. */
      instructions: z.number(),
    })
    .describe("A stuck instruction was replaced by smaller ones."),
  z
    .object({ type: z.literal("smoke"), status: z.string(), reason: z.string().optional(), detail: z.string() })
    .describe("The clean-room check of the output ended."),
  z
    .object({
      type: z.literal("retry"),
      ...ofLane,
      instruction: z.number(),
      turn: z.number(),
      why: z.string(),
      /** How often this call has failed in this way. */
      tries: z.number(),
      milliseconds: z.number(),
    })
    .describe("A model call failed and is made again after a short wait."),
  z.object({ type: z.literal("waiting"), why: z.string(), until: z.string().optional() }).describe("The run waits."),
  z
    .object({ type: z.literal("written_off"), microUsd: z.number(), tokens: z.number(), why: z.string() })
    .describe("The most that a call of unknown outcome can have cost is charged. Below zero: its answer was found."),
  z.object({ type: z.literal("notice"), text: z.string() }).describe("Something worth knowing."),
  z
    .object({ type: z.literal("revising"), feedback: z.string() })
    .describe("A person asked for changes to the program that waits for approval."),
  AskedEvent,
  AnsweredEvent,
  z.object({ type: z.literal("approved"), epoch: z.number() }).describe("A person approved the program."),
  z
    .object({
      type: z.literal("resumed"),
      epoch: z.number(),
      /** With which it goes on; 0: planning. Absent: all of them are done, or an earlier version resumed it. */
      instruction: z.number().optional(),
      /** What a person changed with it; the rest stayed as it was. */
      hint: z.string().optional(),
      model: z.string().optional(),
      examinerModel: z.string().optional(),
      effort: Effort.optional(),
      stream: z.boolean().optional(),
      checkMinutes: z.number().optional(),
      onStuck: OnStuck.optional(),
    })
    .describe("The run was continued."),
  z
    .object({ type: z.literal("ended"), status: z.string(), reason: z.string().optional(), detail: z.string() })
    .describe("The run ended."),
]);
export type EventBody = z.infer<typeof EventBody>;

export const Event = EventBody.and(z.object({ seq: z.int(), at: z.string() }));
export type Event = EventBody & { seq: number; at: string };
