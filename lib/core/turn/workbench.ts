/** What a tool sees of the run: files through the turn's overlay, the evaluator, and the limits that hold for it. */
import type { EvidenceCheck } from "../evidence/evidence.ts";
import type { AskedCommand, ToolSpec } from "../ports.ts";
import type { Draft } from "../program/program.ts";
import type { Amendment } from "../verdict/amendment.ts";
import type { Verdict } from "../verdict/verdict.ts";
import type { ToolAnswer, ToolNote } from "./tool-note.ts";
import type { ToolCategory } from "./tools.ts";

export interface ListedFile {
  path: string;
  bytes: number;
  lines: number;
  /** The instruction that last wrote it; 0 for files that were there from the start. */
  instruction: number;
}

export interface Move {
  from: string;
  to: string;
}

/** Files as the run has them, with what this turn changed on top. Paths come in checked and normalised. */
export interface WorkFiles {
  /** In order of path. `after` is the last path of the previous page. */
  list(range: { prefix?: string; after?: string; limit: number }): Promise<ListedFile[]>;
  /** Bytes, or undefined where there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Answers what is wrong, in a sentence for the model, or undefined when it was written. */
  write(path: string, content: Uint8Array): Promise<string | undefined>;
  /** Answers false where there was nothing to delete, or what is wrong, in a sentence for the model. */
  remove(path: string): Promise<boolean | { problem: string }>;
  /** Moves files, all or none, and never onto a file. Answers what is wrong, in a sentence, or undefined. */
  move(moves: Move[]): Promise<string | undefined>;
  /** Paths like the one asked for, nearest first, to put a wrong path right. */
  similar(path: string): Promise<string[]>;
}

/** What a tool showed of the files, beside what it changed. */
export type Sight =
  | { kind: "files"; paths: string[] }
  | { kind: "list"; prefix?: string; after?: string; limit: number; files: Omit<ListedFile, "instruction">[] }
  | {
      kind: "search";
      pattern: string;
      glob?: string | undefined;
      hits: { path: string; line: number; text: string }[];
    };

/** In words for the model; `finding` is for watchers. */
export interface ProveResult {
  ok: boolean;
  text: string;
  finding: string;
}

export interface Workbench {
  files: WorkFiles;
  /** Notes what the model is shown: the step depends on it. */
  noteSight(sight: Sight): Promise<void>;
  /** Evaluates the tree as this turn has made it so far. */
  check(asked: { syntax?: { paths?: string[] }; tests?: { paths?: string[] }; incremental?: true }): Promise<Verdict>;
  command(asked: AskedCommand): Promise<Verdict>;
  /** Offers the instruction for acceptance: runs the gate. */
  complete(report: { summary: string; next?: string }): Promise<{ accepted: boolean; text: string; note: ToolNote }>;
  /** Notes that an accepted test is going to be changed, and why. Answers why it cannot be, in a sentence, or undefined. */
  amend(amendment: Amendment): Promise<string | undefined>;
  /** Executes a check on the tree before the instruction, on stubs, and as it is: evidence for a requirement. */
  prove(asked: { requirement: string; check: EvidenceCheck }): Promise<ProveResult>;
  /** Takes the program; the last one taken in planning counts. Answers what is wrong with it, or undefined. */
  takeProgram(draft: Draft): Promise<string | undefined>;
  /** How many characters one answer may have, from the model's window. */
  answerChars: number;
}

/** One tool: `run` gets arguments that its schema has accepted. Bad arguments never reach it. */
export interface Tool {
  spec: ToolSpec;
  category: ToolCategory;
  /** Parses and runs; answers in words what was wrong with bad arguments. */
  call(callId: string, rawArguments: string, bench: Workbench): Promise<ToolAnswer>;
}
