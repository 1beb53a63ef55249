/** Evidence: an executed check that was red before the work and is green after it, and so proves one requirement. Pure. */
import * as z from "zod";
import { documentCheckText, documentFields, isOfDocuments } from "./documents/document-check.ts";
import { isStrong, MutantScore } from "./mutants/score.ts";

/**
 * What is executed: tests by path, or by path and name (`test/a.test.js::adds`); a command and what is expected of it; or
 * what documents say, which l2mac reads itself.
 */
export const EvidenceCheck = z.object({
  tests: z.array(z.string()).optional(),
  argv: z.array(z.string()).optional(),
  expect: z.object({ exit: z.int().optional(), stdout: z.string().optional() }).optional(),
  ...documentFields,
});
export type EvidenceCheck = z.infer<typeof EvidenceCheck>;

export const OutcomeStatus = z.enum([
  "passed",
  "refuted", // red by its own assertion
  "missing", // red because a module, file, command or test is not there
  "failed", // red in another way, such as an exception
  "unknown", // it could not be executed: nothing follows from that
]);

export const Outcome = z.object({
  status: OutcomeStatus,
  /** Why, in a line. */
  detail: z.string(),
  /** What it printed: cut, and secrets masked. */
  output: z.string(),
});
export type Outcome = z.infer<typeof Outcome>;

/** `tree`: names the tree that it was executed on. */
export const TreeOutcome = Outcome.extend({ tree: z.string() });
export type TreeOutcome = z.infer<typeof TreeOutcome>;

/** `bodies`: so many functions of the implementation were replaced, in so many `files`. */
export const StubOutcome = TreeOutcome.extend({ bodies: z.int(), files: z.int() });
export type StubOutcome = z.infer<typeof StubOutcome>;

/** A file of a check: its tests, or what its command names. */
const CheckFile = z.object({ path: z.string(), sha256: z.string() });

/** What counts as proof: red by its own assertion where the implementation is stubs. */
export const PROVING_GRADE = 2;
/** The check notices small changes of the code, and the examiner wrote it. */
export const INDEPENDENT_GRADE = 4;
/** The user gave the check. */
export const GIVEN_GRADE = 5;

/** Checks of the examiner are gathered before the first instruction. */
export const OF_EXAMINER = 0;

/** `RUN#id / EVID#<requirement>#<n>` */
export const Evidence = z.object({
  requirement: z.string(),
  n: z.int().positive(),
  instruction: z.int(),
  turn: z.int(),
  at: z.string(),
  check: EvidenceCheck,
  /** Those that the check names, as they were then. Absent: an earlier version gathered it. */
  files: z.array(CheckFile).optional(),
  /** One of them is another now. */
  changed: z.boolean().optional(),
  grade: z.int().min(1).max(5),
  /** What proves the requirement, where the run asks for more than E2. */
  needed: z.int().optional(),
  /** Why the grade is not higher. */
  reason: z.string().optional(),
  /** What it looks at has no stubs, such as Rust: E1 is all that can be asked for. */
  noStubs: z.string().optional(),
  /**
   * The examiner or the user wrote the check. False: an instruction did, in a run that has an examiner; it proves nothing
   * there. Absent: the run has none.
   */
  independent: z.boolean().optional(),
  /** Of the examiner: the instruction whose work met it. Absent: none has, or an earlier version noted it. */
  metIn: z.int().optional(),
  /** It checks a constraint: it is green, and need not have been red. */
  constraint: z.literal(true).optional(),
  /** It held on the files that the run started from: its base is those, and is green. */
  kept: z.literal(true).optional(),
  base: TreeOutcome,
  /** Absent: no stubs could be made. */
  stubs: StubOutcome.optional(),
  work: TreeOutcome,
  /** Where the run asks for it: small changes of the code, and how many of them the check notices. */
  mutants: MutantScore.optional(),
  /** Executed again at the gate of a later instruction. */
  again: TreeOutcome.extend({ instruction: z.int() }).optional(),
  /** A later one of the same requirement, of no lower grade, took its place when this one was red. */
  replacedBy: z.int().optional(),
  /** Executed on the delivered tree, in an empty place. */
  delivered: TreeOutcome.optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** Evidence as it was gathered in a turn: its number is given when it is committed. */
export type Proof = Omit<Evidence, "n" | "instruction" | "turn" | "at">;

/** What a check showed, as a number. */
export function gradeOf({ stubs, mutants, independent }: Pick<Proof, "stubs" | "mutants" | "independent">): number {
  if (stubs?.status !== "refuted") return 1;
  if (!mutants || !isStrong(mutants)) return PROVING_GRADE;
  return independent ? INDEPENDENT_GRADE : 3;
}

/** Proven by what a text says: that it is there, not that it is good. */
export const isByText = ({ noStubs, check }: Pick<Evidence, "noStubs" | "check">): boolean =>
  noStubs !== undefined && isOfDocuments(check);

/** Of a check that was changed since, what it showed does not count. */
export const gradeNow = ({ grade, changed }: Pick<Evidence, "grade" | "changed">): number => (changed ? 1 : grade);

export type ProofGrade = Pick<Evidence, "grade" | "noStubs" | "needed" | "reason" | "independent" | "constraint">;

/** Whether it proves its requirement, if its check is what it was. */
export const wasProof = ({ grade, noStubs, needed, independent, constraint }: Omit<ProofGrade, "reason">): boolean =>
  constraint === true ||
  (independent !== false && (grade >= (needed ?? PROVING_GRADE) || (needed === undefined && noStubs !== undefined)));

export const isProof = (evidence: Omit<ProofGrade, "reason"> & Pick<Evidence, "changed">): boolean =>
  !evidence.changed && wasProof(evidence);

/** The examiner wrote it, and the work has not met it yet. */
export const isUnmet = (evidence: Omit<ProofGrade, "reason"> & Pick<Evidence, "instruction">): boolean =>
  evidence.instruction === OF_EXAMINER && !wasProof(evidence);

/** The time of a turn was over before it was known how many mutants the check notices. */
export const isUndecided = ({ grade, needed, mutants }: Pick<Proof, "grade" | "needed" | "mutants">): boolean =>
  needed !== undefined && grade === PROVING_GRADE && mutants === undefined;

/** The examiner wrote it, the work passes it, and it shows too little: those who write the code cannot mend that. */
export const isTooWeak = (evidence: Evidence): boolean =>
  isUnmet(evidence) &&
  evidence.metIn !== undefined &&
  (evidence.again ?? evidence.work).status === "passed" &&
  !isUndecided(evidence);

/** A check of the examiner as it was declared: what the work of an instruction showed of it does not count. */
export function asDeclared(evidence: Evidence): Evidence {
  const { metIn: _metIn, reason: _reason, noStubs: _noStubs, stubs: _stubs, ...declared } = evidence;
  const { needed: _needed, mutants: _mutants, again: _again, delivered: _delivered, ...kept } = declared;
  return { ...kept, grade: 1, work: evidence.base };
}

/** What the examiner wrote was changed: nothing else takes its place. */
export const isAmended = ({ instruction, independent, changed }: Evidence): boolean =>
  instruction === OF_EXAMINER && independent === true && changed === true;

type Reasoned = Pick<Evidence, "reason" | "changed" | "independent" | "instruction" | "metIn">;

export function reasonNow({ reason = "", changed, independent, instruction, metIn }: Reasoned): string {
  if (changed) return independent ? AMENDED : "the check was changed; prove it again";
  if (reason !== "") return reason;
  return instruction === OF_EXAMINER && metIn === undefined ? NEVER_GRADED : "not proven on stubs";
}

const NEVER_GRADED = "no instruction met it, so that it was not executed on stubs";
const AMENDED = "the examiner's check was amended, so that it is not independent any more";

/** As it counts on a tree: `hashOf` answers the hash of a file there. */
export function onFiles(evidence: Evidence, hashOf: (path: string) => string | undefined): Evidence {
  const { files = [], changed: before = false } = evidence;
  const changed = files.some(({ path, sha256 }) => hashOf(path) !== sha256);
  return changed === before ? evidence : { ...evidence, changed };
}

export const isRed = ({ status }: Pick<Outcome, "status">): boolean => status !== "passed" && status !== "unknown";

/** `R1#2` */
export const evidenceName = ({ requirement, n }: Pick<Evidence, "requirement" | "n">): string => `${requirement}#${n}`;

export function checkText(check: EvidenceCheck): string {
  if (isOfDocuments(check)) return documentCheckText(check);
  const { tests, argv = [] } = check;
  return tests
    ? tests.join(", ")
    : argv.map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}
