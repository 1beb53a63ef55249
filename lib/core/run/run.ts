/** A run: one task being computed. This record is the item `RUN#<id> / META`; nothing about a run is true elsewhere. */
import * as z from "zod";
import { count } from "../count.ts";
import { evidenceFields } from "../evidence/standing.ts";
import { GitOrigin } from "../git/origin.ts";
import { CopiedSteps } from "../make/copied-steps.ts";
import { MakeState } from "../make/make-state.ts";
import { MemoState } from "../make/recalled-call.ts";
import { Walk } from "../program/language/frames.ts";
import { Question, StoredAnswer } from "../program/question.ts";
import { ModelProfile } from "../turn/model-profile.ts";
import { GivenCount } from "../verdict/given-tests.ts";
import { Lease } from "./day-shards.ts";
import { DeliveryCheck } from "./delivery-check.ts";
import { ForkOrigin } from "./forks/fork-point.ts";
import { HeldEnding } from "./lanes/held-ending.ts";
import { RunOptions } from "./option-forms.ts";
import { OverReservation } from "./over-reservation.ts";
import { RunReason, RunStatus } from "./run-status.ts";

export { RunReason, RunStatus };

/** What is known of a stored zip without reading it. */
export const Digest = z.object({ bytes: count, sha256: z.string() });
export type Digest = z.infer<typeof Digest>;

export const Run = z.object({
  /**
   * Of the record; since 2 its packs hold changes, since 3 its program may have more kinds than `do`, since 4 it may ask
   * for evidence or have lanes, since 5 strict evidence has an examiner.
   */
  format: z.literal([1, 2, 3, 4, 5]),
  /** The lane whose view of the run this is. Absent: the run itself. */
  lane: count.optional(),
  /** In this epoch its lanes begin nothing more. */
  lanesClosedIn: count.optional(),
  /** Of a run with lanes: the ceilings that a notification named as near, each with its limit at that time. */
  nearCeilings: z.record(z.string(), z.number()).optional(),
  /** How it ends once its lanes have done what they can. */
  ending: HeldEnding.optional(),
  id: z.string(),
  owner: z.string(),
  name: z.string(),
  title: z.string(),
  status: RunStatus,
  reason: RunReason.optional(),
  /** What happened, in a sentence, with what to do. */
  detail: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().optional(),
  dueAt: z.string().optional(),
  /** It waits for a server, and goes on by itself then. */
  waitUntil: z.string().optional(),
  /** Since when the evaluator has not been ready, without an answer in between. */
  evaluatorAwaitedSince: z.string().optional(),
  activeShard: z.string().optional(),
  options: RunOptions,
  /** Of the model that is asked now. */
  profile: ModelProfile,
  /** Where there are several: all of them, each standing in for the one before it unless it replaced that one. */
  models: z.array(ModelProfile).optional(),
  /** The place of `profile` among them. Absent: where its name is. */
  asks: count.optional(),
  /** What was settled with each of them, in micro-dollars. */
  paid: z.array(count).optional(),

  epoch: count,
  attempt: count,
  /** The program counter: the instruction that is executed now (0 while planning). */
  pc: count,
  /** Of the program; of one with more kinds than `do`, the steps that it has taken so far. */
  instructions: count,
  /** Its way through a program with more kinds than `do`. */
  walk: Walk.optional(),
  /** Why a person is asked first, though the run need not wait: what its program may cost. */
  consent: z.string().optional(),
  /** A person was asked after something of the program had been executed or inherited. */
  askedAgain: z.literal(true).optional(),
  /** A person approved the program. */
  approved: z.literal(true).optional(),
  /** Replaces the planned program until it is stored in its place: the hash under which the file store has it. */
  replacement: z.string().optional(),
  /** The program that waits for approval is revised, by turns of planning after this one. */
  revising: z.object({ feedback: z.string(), after: count }).optional(),
  /** The instruction at `pc` asks it, until the answer is a file. */
  question: Question.optional(),
  /** The last answer of a person. */
  answer: StoredAnswer.optional(),
  /** The last instruction whose acceptance was packed; -1 before the first pack. */
  packed: z.int().min(-1),
  /** The last turn of the instruction at `pc`, committed or answered. */
  turn: count,
  events: count,
  /** Turns of the instruction at `pc` up to this one no longer count for caps and loops: the run was resumed here. */
  forgivenTurn: count,
  /** A person's help for the instruction at `pc`, until that is done. */
  hint: z.string().optional(),
  /** The instruction at `pc` is being skipped: what it changed is taken back, then the next one begins. */
  skipping: z.boolean().optional(),
  /** The instruction at `pc` is stuck, and the model is asked for smaller ones in its place. */
  splitting: z.literal(true).optional(),
  /** These instructions were last written in place of one that was stuck: they are not split again. */
  split: z.object({ first: count, last: count }).optional(),
  /** It takes over steps of another run. */
  make: MakeState.optional(),
  /** It is inside a call, and an earlier version took over steps of another one. */
  memo: MemoState.optional(),
  /** Of other calls, by an earlier version. */
  copied: CopiedSteps.optional(),
  /** Instructions that were skipped. */
  skipped: count.optional(),
  /** Failed calls since the last answer. */
  failures: count,
  /** The same by kind of failure; counts only while there are failures. */
  failed: z.record(z.string(), count).optional(),
  /** Epochs that the sweeper began since the last answer. Of a lane: its claims since then, and since it last waited. */
  renewals: count.optional(),

  turns: count,
  calls: count,
  microUsd: count,
  inputTokens: count,
  cachedTokens: count,
  outputTokens: count,
  /** The call in flight, at its worst. */
  reservedMicroUsd: count,
  reservedTokens: count,
  /** … should its process have died, raised meanwhile: a tuple is short in a record below 1 KiB. Absent: all of that. */
  atRisk: z.tuple([count, count]).optional(),
  /**
   * What was charged for the call that an attempt had in flight when it died. Its answer may be stored all the same, under
   * that attempt, or, where no attempt is named, where a repair laid it. Absent: the registry knows all answers.
   */
  writtenOff: z.object({ attempt: count.optional(), microUsd: count, tokens: count }).optional(),
  /** Absent: no call was charged more than was reserved for it. */
  overReservation: OverReservation.optional(),
  /** The UTC date on which it was reserved under a daily ceiling: it is in that day's ledger. */
  reservedOn: z.string().optional(),
  /** … in this shard. Absent: an earlier version reserved it. */
  reservedShard: count.optional(),
  /** What that shard holds for more calls than the one in flight. Absent: for that call alone. */
  lease: Lease.optional(),
  /** What its next call costs at least, in micro-dollars, where a ceiling in dollars kept it from being made. */
  neededMicroUsd: count.optional(),
  /** Since when what others have in flight keeps it from being made. */
  heldSince: z.number().optional(),
  /** Time under computation; waiting for a person does not count. */
  activeMs: count,
  /** Since when the present attempt's time is not yet in `activeMs`. */
  markedAt: z.number().optional(),

  files: count,
  /** Files in its output: in the latest pack, and once it is completed also the readable forms. */
  outputFiles: count.optional(),
  /** The repository on a server that it starts from. */
  git: GitOrigin.optional(),
  /** The run that it was forked from, and where. */
  forkedFrom: ForkOrigin.optional(),
  /** The next instruction to copy from that run. Absent: all that it inherits is there. */
  inheriting: count.optional(),
  /** Of the files that it starts from, so many are not in the directory yet: they are in pack 0. */
  toLoad: count.optional(),
  /** That tree has not been judged yet. */
  toJudge: z.literal(true).optional(),
  /** The examiner has not written the checks yet; it began after so many turns of planning. */
  toExamine: z.object({ after: count.optional() }).optional(),
  /** What was red in it and still is. */
  knownRed: count.optional(),
  /** Of the zip that a completed run delivered. The record stays below 1 KiB while it is computed: no pack's is here. */
  outputDigest: Digest.optional(),
  /** Size of the latest pack. */
  packedBytes: count,
  /** Measured tokens per byte of request: the highest lately seen; 0 before the first answer. */
  tokensPerByte: z.number(),
  tokensPerSecond: z.number(),
  /** The output limit, once a cut answer has raised it. */
  answerLimit: count.optional(),
  testsSeen: z.boolean(),
  /** The syntax check of an accepted tree passed. */
  syntaxSeen: z.literal(true).optional(),
  testsPassed: count,
  testsTotal: count,
  /** Test files and their settings in the last accepted tree: these are locked. */
  lockedTests: count.optional(),
  /** In so many results of tools a secret was masked. */
  secrets: count.optional(),
  /** So often a locked test was changed with a reason; the instructions have them. */
  amended: count.optional(),
  /** Of the tests that the user gave, as the last accepted tree has them. */
  givenTests: GivenCount.optional(),
  /** Of the tests that the run wrote itself, where they were last run without those that the user gave; else 0. */
  ownTestsPassed: count.optional(),
  unchecked: z.array(z.string()),
  /** The result of the clean-room check of its output, made at the end of the program. */
  smoke: DeliveryCheck.optional(),
  /** The same, of this tree, until the evidence is executed there too: that may take several invocations. */
  checkedTree: DeliveryCheck.extend({ tree: z.string() }).optional(),
  ...evidenceFields,
  cancelRequested: z.boolean().optional(),
  /** Its item of the submission's idempotency key, where it had one. */
  submittedBy: z.string().optional(),
  /** It is being removed: for everybody else it is gone. */
  deleting: z.literal(true).optional(),
});
export type Run = z.infer<typeof Run>;

/** How many instructions it executes at a time, at most. */
export const lanesOf = ({ options }: Pick<Run, "options">): number => options.parallel ?? 1;

/** Of a run whose program may have more kinds than `do`. */
export const formatWithTree = ({ format }: Pick<Run, "format">): Run["format"] => (format < 3 ? 3 : format);

export const isEnded = (status: RunStatus): boolean =>
  status === "completed" || status === "partial" || status === "failed" || status === "cancelled";

/** Its program is stored, or what replaces it. */
export const hasProgram = (run: Pick<Run, "instructions" | "walk" | "replacement">): boolean =>
  run.instructions > 0 || run.walk !== undefined || run.replacement !== undefined;

/** Before all that it starts from is in its directory, its files are those of this pack. */
export const packInstead = ({ toLoad }: Pick<Run, "toLoad">): 0 | undefined => (toLoad === undefined ? undefined : 0);

/** The program is at its end, but for what was skipped. */
export const isAllButSkipped = (run: Pick<Run, "skipped" | "instructions" | "pc" | "walk">): boolean =>
  (run.skipped ?? 0) > 0 && run.pc > run.instructions && (run.walk?.ended ?? !run.walk);

/** Waits for a server and goes on by itself, without anybody's doing. */
export const isAsleep = ({ status, waitUntil }: Pick<Run, "status" | "waitUntil">): boolean =>
  status === "waiting" && waitUntil !== undefined;

/** Waits until a person decides how it goes on: nothing computes it meanwhile. */
export const waitsForPerson = ({ status, reason }: Pick<Run, "status" | "reason">): boolean =>
  status === "waiting" && (reason === "approval" || reason === "answer" || reason === "interrupted");

export const waitsForApproval = ({ status, reason }: Pick<Run, "status" | "reason">): boolean =>
  status === "waiting" && reason === "approval";

/** Its program must not be executed before a person has approved it. */
export const lacksApproval = ({ options, approved, consent }: Pick<Run, "options" | "approved" | "consent">): boolean =>
  (options.approve === "plan" || consent !== undefined) && approved !== true;

/** Instructions whose results are in the latest pack. */
export const acceptedOf = ({ instructions, pc, skipped = 0 }: Pick<Run, "skipped" | "instructions" | "pc">): number =>
  Math.max(0, Math.min(pc - 1, instructions) - skipped);

/** The word for a reason in messages. */
export const reasonText = (reason: string): string => (reason === "trapped" ? "stuck" : reason.replaceAll("_", " "));

/** Status and reason in messages: `partial (stuck)`. */
export const statusText = ({ status, reason }: { status: string; reason?: string | undefined }): string =>
  reason !== undefined && reason !== status ? `${status} (${reasonText(reason)})` : status;
