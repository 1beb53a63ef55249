/** The schemas of the answers, with which routes document themselves and clients parse. */
import * as z from "zod";
import { TriedVerdicts } from "../core/make/inherited-steps.ts";
import { ProgramName } from "../core/program/named-programs.ts";
import { Instruction, Requirement, TreeNode } from "../core/program/program.ts";
import { DayAccount } from "../core/run/daily.ts";
import { EventBody } from "../core/run/event.ts";
import { BusyLane } from "../core/run/lanes/busy-lane.ts";
import { Run } from "../core/run/run.ts";
import { INNER_FIELDS } from "../core/run/shown-run.ts";
import { AnswerBody, EffectsBody, StepTurn, TurnRecord } from "../core/turn/turn.ts";

export const RunLinks = z.object({
  self: z.string(),
  requirements: z.string(),
  program: z.string(),
  events: z.string(),
  files: z.string(),
  output: z.string(),
  cancel: z.string(),
  approve: z.string(),
  revise: z.string(),
  answers: z.string().optional(),
  resume: z.string(),
  back: z.string(),
  fork: z.string().optional().describe("Absent: a server of an earlier version."),
  make: z.string(),
});

export const RunView = Run.omit(INNER_FIELDS).extend({ links: RunLinks });
export type RunView = z.infer<typeof RunView>;

/** `day`: today's account, in micro-dollars, if all runs together have a daily ceiling. */
export const RunStatusView = RunView.extend({
  day: DayAccount.optional(),
  lanes: z.array(BusyLane).optional().describe("Where instructions are executed side by side: what each lane does."),
});
export type RunStatusView = z.infer<typeof RunStatusView>;

/** The answer to a change of a run. */
export const RunAccepted = z.object({ id: z.string(), status: Run.shape.status, links: RunLinks });

export const RunSubmitted = RunAccepted.extend({
  notes: z.array(z.string()).optional().describe("What was assumed of the model, each a sentence."),
});

const Estimate = z.object({
  steps: z.int(),
  p50: z.number().describe("In micro-dollars, if each costs as much as half of the accepted steps did at most."),
  p90: z.number().describe("The same with nine tenths of them."),
});

/** What a new run takes over of another one. */
export const MakePlanAnswer = z.object({
  plan: z.object({
    steps: z.array(
      z.object({
        number: z.int(),
        title: z.string(),
        decision: z
          .enum(["copy", "check", "execute"])
          .describe("Taken over; kept if checks run its code on the new tree and pass; or executed."),
        why: z.string().describe("Empty: nothing that it depends on changed."),
        from: z.int().optional().describe("The instruction that it is taken over from."),
        asks: z.literal(true).optional().describe("A question to a person, which asks no model."),
      }),
    ),
    price: z.object({ execute: Estimate, check: Estimate.describe("Is added where they do not pass.") }),
    unserved: z.array(z.string()).describe("Requirements that no instruction serves."),
    assumed: z
      .array(z.string())
      .optional()
      .describe("Of a program with loops or conditions: what the run did not find out, and is taken to be so."),
  }),
});

export const MakeAnswer = RunSubmitted.extend(MakePlanAnswer.shape);

export const RunRemoval = z.object({ id: z.string(), status: z.enum(["deleted", "deleting"]) });

export const RunPage = z.object({
  runs: z.array(RunView),
  unreadable: z.array(z.string()).optional().describe("Ids of runs that another version of l2mac wrote."),
  cursor: z.string().optional(),
});

/** What it depended on is in the file store. */
const InstructionAnswer = Instruction.omit({ step: true, tried: true });
export const ProgramAnswer = z.object({
  instructions: z.array(InstructionAnswer),
  requirements: z.array(Requirement),
  tree: z
    .array(TreeNode)
    .optional()
    .describe("The program, if it has more kinds than `do`: the instructions are then the steps that it has taken."),
});
export type ProgramAnswer = z.infer<typeof ProgramAnswer>;

export const ProgramNameAnswer = ProgramName;
export const NamedProgramsAnswer = z.object({ programs: z.array(ProgramName) });
export const NamedProgramAnswer = ProgramName.extend({
  parameters: z.array(z.string()).describe("What a call gives it in `with`."),
  program: z.record(z.string(), z.unknown()).describe("As a submission takes it."),
});
export const NamedProgramRemoval = z.object({ name: z.string(), status: z.literal("removed") });

export const ServerAnswer = z.object({
  version: z.string().optional().describe("Of l2mac."),
  home: z.string().optional().describe("The folder of its runs. Absent: they are not in a folder."),
  model: z.string().optional().describe("What is asked where a run names no model. Absent: none is set."),
  isReady: z.boolean().optional().describe("Whether the key that this model needs is set."),
  models: z.array(z.string()).describe("Known models that can be asked with the keys of this server."),
  budgetUsd: z.number().optional().describe("The ceiling of a run that sets none, where the server has its own."),
  install: z.boolean().describe("Whether packages are installed before tests."),
  uploads: z.boolean().describe("Whether POST /uploads is answered."),
});
export type ServerAnswer = z.infer<typeof ServerAnswer>;

export const SigningKeyAnswer = z.object({
  keyid: z.string().describe("As signatures name it: the SHA-256 of the public key as DER."),
  publicKey: z.string().describe("In PEM: an ed25519 key, or an ECDSA key on the curve P-256."),
});

const numbered = { seq: z.int(), at: z.string() };
const NumberedEvent = z.union(EventBody.options.map((body) => body.extend(numbered)));

const AnswerUnderway = z.object({
  instruction: z.int(),
  turn: z.int(),
  characters: z.int().describe("How many characters the model has written."),
});

export const EventPage = z.object({
  events: z.array(NumberedEvent),
  next: z.int(),
  status: z.string().describe("The status of the run."),
  over: z.boolean().describe("Whether no event follows unless a person resumes or approves the run."),
  pollSeconds: z
    .number()
    .int()
    .optional()
    .describe("How soon to ask for the next events, where this server does not hold requests."),
  underway: AnswerUnderway.optional().describe("The answer that a model is writing, where this server streams it."),
});

export const File = z.object({
  path: z.string(),
  bytes: z.int(),
  sha256: z.string().optional(),
  lines: z.int().optional(),
  instruction: z.int().optional(),
  turn: z.int().optional(),
});
export type File = z.infer<typeof File>;

export const FilePage = z.object({ files: z.array(File), cursor: z.string().optional() });

export const OutputLink = z.object({
  url: z.string(),
  expiresAt: z.string(),
  bytes: z.int(),
  sha256: z.string(),
});

/** A turn of the journal. One that timed out has no answer. */
export const JournalEntry = z.object({
  turn: StepTurn,
  answer: AnswerBody.optional(),
  effects: EffectsBody.optional(),
  tried: TriedVerdicts.optional().describe(
    "With the last turn of a lane whose work was dropped: what the gate found where it was to join.",
  ),
});

export const TurnPage = z.object({
  turns: z.array(TurnRecord),
  next: z.string().optional().describe("The `after` of the next request. Absent: there are no more."),
});
