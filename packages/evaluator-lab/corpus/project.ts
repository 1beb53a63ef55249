/** A small project of the corpus and what is true of it. */

import type { WordBudget } from "../../../lib/core/program/word-budget.ts";
import type { CheckStatus } from "../../../lib/core/verdict/verdict.ts";

export interface Project {
  name: string;
  kind:
    | "python"
    | "go"
    | "javascript"
    | "typescript"
    | "json"
    | "data"
    | "shell"
    | "prose"
    | "mixed"
    | "none"
    | "other";
  files: Record<string, string>;
  label: Label;
  /** What the tree that was accepted before held, where the project is changed and not new. */
  before?: Record<string, string>;
  needs?: "python" | "pytest" | "pyflakes" | "typescript" | "vitest" | "go" | "make";
  /** Its packages were installed: of this computer it sees nothing more. */
  isInstalled?: true;
  /** Of a book: how many words were asked for. */
  words?: WordBudget;
  /** Of the whole evaluation. Short where the project is to run out of time. */
  timeoutMs?: number;
}

type Status = CheckStatus | `${"not_run" | "not_found" | "passed" | "failed" | "crashed"}: ${string}`;

export interface Label {
  /** The status, and the reason where there is one. */
  syntax: Status;
  tests: Status;
  /** Each finding as `path:line rule`, in order; of the syntax check. */
  findings?: string[];
  /** Of the tests: passed, failed, errors, skipped. */
  counts?: [number, number, number, number];
  missing?: string[];
  /** As `path:line rule`. Absent: none is looked at. */
  warnings?: string[];
}

/** Of a project that nothing is wrong with. */
export const healthy = (passed: number): Label => ({ syntax: "passed", tests: "passed", counts: [passed, 0, 0, 0] });
export const unfinished = (...findings: string[]): Label => ({ syntax: "failed", tests: "not_found", findings });

/** Lines of a file. */
export const lines = (...text: string[]): string => `${text.join("\n")}\n`;
