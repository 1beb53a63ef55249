/** What an evaluation suite is: tasks with a hidden check, and the answers with which the check itself is checked. Pure. */
import type { Json } from "../../lib/core/text/json.ts";
import type { ArmName } from "./arms/arm.ts";
import type { RetentionRun } from "./arms/retention.ts";

/** Text by path. */
export type Files = Readonly<Record<string, string>>;

/** Files that may be no text. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** A script of `packages/eval/checkers`. It reads what to check from standard input, so no tree and no solution holds it. */
export interface Checker {
  program: "python3" | "node";
  script: string;
}

export interface EvalCase {
  id: string;
  task: string;
  /** What a run starts from. */
  given?: Files;
  /** What the checker is given; a model never sees it. */
  spec: Json;
  /** What it is of, such as a programming language, and the programs without which it cannot be checked. */
  group?: { name: string; programs: string[] };
  /** For all that is checked of one tree. */
  seconds: number;
  oracle: Tree;
  /** The interface without an implementation. */
  stub: Tree;
  /** Trees that try to pass without solving anything. */
  forgeries: Tree[];
  hanging: Tree;
  /** It measures what a model is sent in this run, not what it answers. */
  retention?: RetentionRun;
  /** In which of the suite's arms it is computed. */
  arm?: ArmName;
}

export interface SuitePlace {
  /** Where what is downloaded is kept. */
  cache: string;
  /** A folder of the user with cases, for suites that take it. */
  exercises?: string | undefined;
  say(line: string): void;
  env: Readonly<Record<string, string | undefined>>;
}

export interface Suite {
  name: string;
  about: string;
  /** Where its tasks are from, and under which licence. */
  source: string;
  checker: Checker;
  domain: "codebase" | "book" | "custom";
  /** No check of a case passes on a solution of another case. */
  isDistinct?: true;
  /** Trees are checked together, because what compiles them is slow to begin. */
  isCheckedAtOnce?: true;
  /** Each case is computed in each of them, all with the same window. */
  arms?: readonly ArmName[];
  /** Its cases may be in a folder of the user. */
  takesExercises?: true;
  /** Throws where its data is not available. */
  load(place: SuitePlace): Promise<EvalCase[]>;
}

/** What was found of one tree. */
export interface CaseOutcome {
  passed: number;
  of: number;
  /** What did not pass, some of it. */
  failures: string[];
  /** Of a book: its words, and the share of runs of eight words that come again. */
  measured?: { words: number; repeated: number } | undefined;
}

export const isSolved = ({ passed, of }: CaseOutcome): boolean => of > 0 && passed === of;

/** Each case in each arm of its suite. */
export const inArms = (cases: EvalCase[], { arms }: Pick<Suite, "arms">): EvalCase[] =>
  arms ? cases.flatMap((each) => arms.map((arm) => ({ ...each, id: `${each.id}/${arm}`, arm }))) : cases;
