/** What the evaluator found, and whether an instruction may be accepted with it. */
import * as z from "zod";

export const CheckStatus = z.enum(["passed", "failed", "timed_out", "crashed", "not_found", "not_run"]);
export type CheckStatus = z.infer<typeof CheckStatus>;

/** It ran, and what it checked is not all right. */
export const isBroken = (status: CheckStatus): boolean =>
  status === "failed" || status === "timed_out" || status === "crashed";

/** Why a check did not run, or found nothing. Free text is allowed for what a kind adds. */
export type CheckReason =
  | "nothing_to_check"
  | "no_toolchain"
  | "package_missing"
  | "out_of_time"
  | "turned_off"
  | (string & {});

/** Time ended it: that says more of the computer and of our limits than of what is checked. */
export const isOutOfTime = ({ status, reason }: { status: CheckStatus; reason?: string | undefined }): boolean =>
  status === "timed_out" || reason === "out_of_time";

/** A check that did not run because there was nothing to do: nothing is left open. */
export const isSettled = (reason: string | undefined): boolean =>
  reason === "nothing_to_check" || reason === "turned_off";

/** The reason of a verdict that speaks of a book's text and of no code. */
export const PROSE = "prose";

export const Finding = z.object({
  path: z.string(),
  line: z.int().optional(),
  column: z.int().optional(),
  message: z.string(),
  rule: z.string().optional(),
  /** It was there before the run began. */
  known: z.literal(true).optional(),
});
export type Finding = z.infer<typeof Finding>;

export const TestCase = z.object({
  name: z.string(),
  status: z.enum(["passed", "failed", "error", "skipped"]),
  seconds: z.number().optional(),
  message: z.string().optional(),
  /** It was red before the run began. */
  known: z.literal(true).optional(),
});
export type TestCase = z.infer<typeof TestCase>;

/** `detail`: in words, where the reason is a code: which program is missing, what the runner said. */
const checked = { status: CheckStatus, reason: z.string().optional(), detail: z.string().optional() };

/** Of what is wrong, so much was there before the run began and is not counted; uncertain: it may have been. */
const KnownCount = z.object({ count: z.int(), isUncertain: z.boolean().optional() });

/** How many files were looked at, where it was not all of them. */
export const Scope = z.object({ files: z.int(), of: z.int() });
export type Scope = z.infer<typeof Scope>;

export const SyntaxVerdict = z.object({
  ...checked,
  errors: z.array(Finding),
  /** What may be wrong, and blocks nothing. */
  warnings: z.array(Finding).optional(),
  scope: Scope.optional(),
  knownRed: KnownCount.optional(),
});
export const TestsVerdict = z.object({
  ...checked,
  scope: Scope.optional(),
  knownRed: KnownCount.optional(),
  runner: z.string().optional(),
  passed: z.int(),
  failed: z.int(),
  errors: z.int(),
  skipped: z.int(),
  cases: z.array(TestCase),
  output: z.string(),
});
export const CommandVerdict = z.object({
  ...checked,
  exitCode: z.int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  /** What it wrote of what was to be kept; refused: why nothing is. */
  kept: z
    .object({
      files: z.array(z.object({ path: z.string(), base64: z.base64() })),
      refused: z.string().optional(),
    })
    .optional(),
});

/** The clean-room check of the delivery: it is installed, tested and started from nothing but itself. */
export const SmokeVerdict = z.object({
  ...checked,
  /** What was started. Absent: nothing is there to be started. */
  argv: z.array(z.string()).optional(),
  exitCode: z.int().nullable(),
  output: z.string(),
});
export type SmokeVerdict = z.infer<typeof SmokeVerdict>;

/** Where the evaluator's log has more: its function's request, and the root of the trace that this belongs to. */
export const EvaluatorRequest = z.object({
  requestId: z.string(),
  traceId: z
    .string()
    .regex(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/)
    .optional(),
});
export type EvaluatorRequest = z.infer<typeof EvaluatorRequest>;

export const Verdict = z.object({
  syntax: SyntaxVerdict,
  tests: TestsVerdict,
  command: CommandVerdict.optional(),
  smoke: SmokeVerdict.optional(),
  /** Packages that the project declares and that could not be had, each with what was tried. */
  missingPackages: z.array(z.string()),
  /** Where some are missing: what there is instead, a bounded list. */
  availablePackages: z.array(z.string()).optional(),
  /** What was cut short, in words. */
  truncated: z.array(z.string()),
  milliseconds: z.number(),
  /** It executed evidence, perhaps on another tree than the run's. */
  purpose: z.literal("evidence").optional(),
  /** Of this evaluation; empty where no evaluator was asked. */
  requestId: z.string(),
  /** Absent where the evaluator is this computer. */
  evaluator: EvaluatorRequest.optional(),
});
export type Verdict = z.infer<typeof Verdict>;

export const notRun = (reason: CheckReason): Verdict => ({
  syntax: { status: "not_run", reason, errors: [] },
  tests: { status: "not_run", reason, passed: 0, failed: 0, errors: 0, skipped: 0, cases: [], output: "" },
  missingPackages: [],
  truncated: [],
  milliseconds: 0,
  requestId: "",
});
