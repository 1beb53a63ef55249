/** The words for a run's ending: what happened, what is kept, what it cost, and the next commands. Pure. */

import type { NextCommand } from "../errors.ts";
import { copiedWords } from "../make/copied-steps.ts";
import { waitsForAnswer } from "../program/question.ts";
import { money, pluralize, shortId } from "../text/format.ts";
import { higherFlag, isCeiling, usedUpCeiling } from "./ceiling.ts";
import { credentialsNeeded } from "./credentials-needed.ts";
import { filesOf, unacceptedNote } from "./file-count.ts";
import { acceptedOf, isAllButSkipped, type Run, type RunReason, reasonText, waitsForApproval } from "./run.ts";

/** Where the run is, as far as the next command depends on it. */
export interface RunPlace {
  /** What commands need to find it: `--remote`, or nothing. */
  remoteFlag: readonly string[];
  /** Computed by an API elsewhere. */
  elsewhere: boolean;
}

export const HERE: RunPlace = { remoteFlag: [], elsewhere: false };

/** `folder`: where its files were delivered to, and how many. */
export interface EndingAsked {
  folder?: string;
  /** The branch that has them instead. */
  branch?: string | undefined;
  files: number;
  place?: RunPlace;
}

/** By themselves, each a sentence. */
export interface EndingWords {
  happened: string;
  kept: string;
  cost: string;
  /** What to type next: one command, or several to choose from. Empty where nothing is left to do. */
  next: NextCommand[];
}

export function endingWords(run: Run, asked: EndingAsked): EndingWords {
  const { folder, branch, place = HERE } = asked;
  const hasFiles = folder !== undefined || branch !== undefined;
  const isDelivered = run.status === "completed" && hasFiles && run.reason !== "unchecked";
  return {
    happened: happenedLine(run),
    kept: keptLine(run, asked),
    cost: `${costOf(run)}${run.copied ? `; ${copiedWords(run.copied)}` : ""}.`,
    next: isDelivered && !isUnpushed(run) ? [] : nextCommands(run, place),
  };
}

function happenedLine({ status, reason, detail }: Run): string {
  if (reason === "interrupted") return "Stopped before the end; nothing is lost.";
  return endedWords({
    status,
    detail: detail ?? (status === "completed" ? "Completed." : reason && reasonText(reason)),
  });
}

/** Whose sentence says it already. */
const SAID = new Set(["completed", "waiting", "cancelled"]);

export const endedWords = ({ status, detail = "" }: { status: string; detail?: string | undefined }): string =>
  SAID.has(status) && /[.!]$/.test(detail) ? detail : `${status}: ${detail}`;

function keptLine(run: Run, { folder, branch, files }: EndingAsked): string {
  const done =
    run.instructions === 0 ? "no program yet" : `${acceptedOf(run)} of ${pluralize(run.instructions, "instruction")}`;
  const inRun = branch === undefined ? `in the run ${shortId(run.id)}` : `on branch ${branch}`;
  const where = folder === undefined ? inRun : `in ${folder}`;
  const amended = run.amended ? `, ${pluralize(run.amended, "locked test")} amended` : "";
  const red = run.knownRed ? `, ${run.knownRed} known red` : "";
  const tests = (run.testsTotal > 0 ? `, tests ${run.testsPassed}/${run.testsTotal}` : "") + red + amended;
  const count = pluralize(folder === undefined ? filesOf(run) : files, "file");
  return `${done}, ${count} ${where}${unacceptedNote(run)}${tests}.`;
}

function costOf(run: Run): string {
  const models = run.models ?? [run.profile];
  const free = models.every(({ price }) => price?.input === 0 && price.output === 0);
  if (run.profile.model === "rehearsal") return "nothing, this was a rehearsal";
  if (models.some(({ price }) => !price)) return `unknown, ${pluralize(run.turns, "turn")}`;
  return `${money(run.microUsd)}${free ? " (this computer's own model)" : ""}, ${pluralize(run.turns, "turn")}`;
}

/** What has to be done, or be so, before the run can go on. */
const FIRST: Partial<Record<RunReason, (place: RunPlace, run: Run) => string>> = {
  credentials: ({ elsewhere }, { profile }) =>
    elsewhere ? "once the model server's key is set where the API runs" : credentialsNeeded(profile),
  repository: ({ elsewhere }) => (elsewhere ? GIT_TOKEN_THERE : GIT_TOKEN_HERE),
  provider: () => "when the model server answers",
  evaluator_not_ready: () => "when the evaluator is ready",
};

const GIT_TOKEN_HERE = "once the repository can be read; GITHUB_TOKEN, GITLAB_TOKEN or L2MAC_GIT_TOKEN gives a token";
const GIT_TOKEN_THERE = "once the repository can be read; deploy --set-git-token stores a token for it";

/** What `doctor` finds out, where it can look from here. */
const DOCTOR: Partial<Record<RunReason, (place: RunPlace) => string | undefined>> = {
  provider: ({ elsewhere }) => (elsewhere ? undefined : "shows whether it answers"),
  evaluator_not_ready: () => "shows whether it is ready",
};

/** What to type next about this run; where there is a choice, the likeliest first. */
export function nextCommands(run: Run, place: RunPlace = HERE): NextCommand[] {
  const on = (command: string, note?: string, args: string[] = []): NextCommand => ({
    command,
    args: [shortId(run.id), ...args, ...place.remoteFlag],
    ...(note === undefined ? {} : { note }),
  });
  const doctor = (note: string): NextCommand => ({ command: "doctor", args: place.remoteFlag, note });
  const { status, reason } = run;
  if (reason === "unchecked")
    return [on("status", "shows what could not be checked"), doctor("shows what checks are there")];
  if (status === "completed" && isUnpushed(run)) return [on("git", "pushes its commits", ["--push"])];
  if (status === "completed") return [on("get")];
  if (reason === "damaged") {
    return [
      on("get", "then start a new run for the rest, with --from and that folder"),
      on("resume", "where what is missing can be put back"),
    ];
  }
  if (reason === "trapped") return afterStuck(run, on);
  if (reason === "unproven")
    return [
      on("evidence", "shows what is not proven, and why"),
      on("waive", "takes a requirement as it is", ["<requirement>", "--reason", "<words>"]),
      on("resume", "delivers once more"),
    ];
  if (waitsForApproval(run)) {
    return [
      on("approve"),
      on("reject"),
      on("watch", "shows the program; write it to a file to change it"),
      on("approve", "takes the program from that file", ["--program", "program.md"]),
      on("plan", "has the model revise it", ["--feedback", "<words>"]),
    ];
  }
  if (waitsForAnswer(run)) return afterQuestion(run, on);
  if (reason === "daily") return [on("resume", nextDayOf(run))];
  const first = reason && FIRST[reason]?.(place, run);
  const look = reason && DOCTOR[reason]?.(place);
  const ceiling = isCeiling(reason) ? reason : usedUpCeiling(run, run.options.budget)?.ceiling;
  return [on("resume", first, ceiling ? higherFlag(run, ceiling) : []), ...(look ? [doctor(look)] : [])];
}

/** It was to be pushed when it was delivered, and the server refused it. */
const isUnpushed = ({ git }: Run): boolean => git?.push === true && git.pushed === undefined;

type OnRun = (command: string, note?: string, args?: string[]) => NextCommand;

const afterStuck = (run: Run, on: OnRun): NextCommand[] =>
  isAllButSkipped(run)
    ? [
        on("log", "what was skipped"),
        on("get", "then start a new run for what was skipped, with --from and these files"),
      ]
    : [
        on("log", "what it tried"),
        on("resume", "goes on with a sentence of help", ["--hint", "<what to do instead>"]),
        on("resume", "tries again"),
      ];

/** The run's record has the question cut; the command shows all of it. */
function afterQuestion({ question }: Run, on: OnRun): NextCommand[] {
  const whole = on("answer", "shows the whole question");
  const { choices } = question ?? {};
  if (!choices)
    return [on("answer", undefined, ["<text>"]), on("answer", "is a longer one", ["--file", "answer.md"]), whole];
  return [on("answer", choices.map((each, at) => `${at + 1}: ${each}`).join(", "), ["--choice", "<number>"]), whole];
}

/** As a date: it may be read on any day. */
function nextDayOf({ endedAt, neededMicroUsd }: Run): string | undefined {
  if (endedAt === undefined) return undefined;
  if (neededMicroUsd === undefined) return "once dailyUsd is raised in the configuration";
  const next = new Date(Date.parse(endedAt) + 86_400_000).toISOString().slice(0, 10);
  return `from 00:00 UTC on ${next}`;
}
