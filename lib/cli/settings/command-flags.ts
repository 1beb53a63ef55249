/** The flags of single commands. */
import type { Flag } from "../command.ts";
import { PROGRAM, YES } from "./flags.ts";

export const OUT: Flag = { name: "--out", argument: "DIR", description: "Folder for the files" };
export const PORT: Flag = {
  name: "--port",
  argument: "N",
  description: "Port to listen on (default 4600; 0: a free one)",
};
export const AT: Flag = { name: "--at", argument: "N", description: "As instruction N left it (0: before the first)" };
export const AFTER: Flag = { name: "--after", argument: "N", description: "Only events after number N" };
export const LIMIT: Flag = {
  name: "--limit",
  argument: "N",
  description: "The latest N runs (default 50; with --json: all)",
};
export const ALL: Flag = { name: "--all", description: "Long parts too, uncut" };
export const BETWEEN: Flag = {
  name: "--at",
  argument: "A..B",
  description: "From instruction A to B (A..: to now; N: what N changed)",
};
export const GOOD: Flag = {
  name: "--good",
  argument: "N",
  description: "An instruction after which it passed (0: the start; default: looked for)",
};
export const BAD: Flag = {
  name: "--bad",
  argument: "N",
  description: "An instruction after which it fails (default: the last accepted)",
};
export const STAT: Flag = { name: "--stat", description: "Only a summary: lines added and removed in each file" };
export const TEXT: Flag = { name: "--text", description: "With what the model said in each turn" };
export const FOLLOW: Flag = { name: "--follow", description: "Continue until the run ends or waits" };
export const HINT: Flag = {
  name: "--hint",
  argument: "TEXT",
  description: "A sentence of help for the instruction at which the run stopped",
};
export const REASON: Flag = {
  name: "--reason",
  argument: "TEXT",
  description: "Why the requirement is waived; shown with the run",
};
export const FILE: Flag = {
  name: "--file",
  argument: "FILE",
  description: "The answer is the text of this file (-: standard input)",
};
export const CHOICE: Flag = { name: "--choice", argument: "N", description: "The answer is choice number N" };
export const TO: Flag = { name: "--to", argument: "N", description: "The instruction that the new run begins with" };
export const FORK_AT: Flag = {
  name: "--at",
  argument: "STEP[.TURN]",
  description: "What is inherited: up to this instruction, or turn of one",
};
export const FORK_PROGRAM: Flag = {
  ...PROGRAM,
  description: "Execute this program (.md, .yaml or .json) after that point",
};
export const MAKE_SPEC: Flag = {
  name: "--spec",
  argument: "FILE",
  description: "The changed task; - is standard input (default: the task of the run)",
};
export const MAKE_PROGRAM: Flag = {
  name: "--program",
  argument: "FILE",
  description: "The changed program, .md, .yaml or .json (default: that of the run)",
};
export const STRICT: Flag = {
  name: "--strict",
  description: "Execute a step again also where its checks are green on the new tree",
};
export const MAKE_DRY_RUN: Flag = {
  name: "--dry-run",
  description: "Only show which steps would be executed, why, and what they may cost",
};
export const FEEDBACK: Flag = {
  name: "--feedback",
  argument: "TEXT",
  description: "Have the model revise the program of this run, which waits for approval",
};
export const LINT: Flag = {
  name: "--lint",
  argument: "FILE",
  description: "Only check this program, or convert it with --out",
};
export const RUN_OUT: Flag = { ...OUT, description: "Folder for the files (default ./workspace/<name>)" };
export const PLAN_OUT: Flag = { name: "--out", argument: "FILE", description: "Write the program to this file" };
export const REPLACE: Flag = { name: "--replace", description: "Replace the program that has this name" };
export const BUNDLE: Flag = {
  name: "--bundle",
  argument: "FILE",
  description: "Write a Git bundle, which git clone takes, to this file",
};
export const GIT_PUSH: Flag = {
  name: "--push",
  argument: "[URL]",
  pattern: /^[a-z][\w+.-]*:\/\S*$/i,
  description: "Push to a new branch of a repository (default: the one it started from)",
};
/** Of new runs. */
export const PUSH: Flag = {
  name: "--push",
  group: "task",
  description: "Push each accepted step as a commit to a new branch of that repository",
};
export const GIT_OUT: Flag = { ...OUT, description: "Folder for the repository" };
export const REPORT_OUT: Flag = { ...OUT, description: "Folder for the page (default ./<name>-report)" };
export const INSTEAD: Flag = {
  ...PROGRAM,
  description: "Execute this program (.md, .yaml or .json) instead of the waiting one",
};

/** Of new runs: what they start from. */
export const IN: Flag = {
  name: "--in",
  argument: "DIR",
  group: "task",
  description: "Work on this folder of a Git working tree (default: the one you are in)",
};
export const NEW: Flag = {
  name: "--new",
  group: "task",
  description: "Start without files, also in a Git working tree",
};
export const AFTER_RUN: Flag = {
  name: "--after",
  argument: "RUN",
  group: "task",
  description: "Start from the result of another run",
};

/** Of `init`. */
export const initFlags: Flag[] = [
  { ...YES, description: "Ask nothing: take the flags, and what is found, as answers" },
  { name: "--user", description: "Write the configuration of all your projects, not that of this folder" },
  { name: "--overwrite", description: "Replace a file that is there already" },
  { name: "--no-call", description: "Try no call of the model" },
];
