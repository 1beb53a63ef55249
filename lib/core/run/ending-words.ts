/** What a run's ending says: what happened, what is kept, what it cost, and the exact next command. Pure. */

import { counted } from "../text/counted.ts";
import { money, shortId } from "./amounts.ts";
import { higherFlag, isCeiling } from "./ceiling.ts";
import { acceptedOf, isAllButSkipped, type Run, type RunReason, reasonText, waitsForApproval } from "./run.ts";

/** Where the run is, as far as the next command depends on it. */
export interface RunPlace {
  /** What commands need to find it. */
  flag: string;
  /** Computed by an API elsewhere. */
  elsewhere: boolean;
}

export const HERE: RunPlace = { flag: "", elsewhere: false };

/** `folder`: where its files were delivered to, and how many. */
export interface EndingAsked {
  folder?: string;
  files: number;
  place?: RunPlace;
}

/** By themselves, each a sentence. */
export interface EndingWords {
  happened: string;
  kept: string;
  cost: string;
  /** Absent where nothing is left to do. */
  next?: string;
}

export function endingWords(run: Run, { folder, files, place = HERE }: EndingAsked): EndingWords {
  const words = { happened: happenedLine(run), kept: keptLine(run, folder, files), cost: `${costOf(run)}.` };
  if (run.reason === "unchecked") return { ...words, next: whyUnchecked(run, place) };
  return run.status !== "completed" || folder === undefined ? { ...words, next: nextCommand(run, place) } : words;
}

const whyUnchecked = ({ id }: Run, { flag }: RunPlace): string =>
  `l2mac status ${shortId(id)}${flag}, which shows what could not be checked; l2mac doctor${flag} shows what checks are there`;

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

function keptLine(run: Run, folder: string | undefined, files: number): string {
  const done =
    run.instructions === 0 ? "no program yet" : `${acceptedOf(run)} of ${counted(run.instructions, "instruction")}`;
  const where = folder === undefined ? `in the run ${shortId(run.id)}` : `in ${folder}`;
  const amended = run.amended ? `, ${counted(run.amended, "locked test")} amended` : "";
  const tests = (run.testsTotal > 0 ? `, tests ${run.testsPassed}/${run.testsTotal}` : "") + amended;
  return `${done}, ${counted(folder === undefined ? run.files : files, "file")} ${where}${tests}.`;
}

function costOf(run: Run): string {
  const models = run.models ?? [run.profile];
  const free = models.every(({ price }) => price?.input === 0 && price.output === 0);
  if (run.profile.model === "rehearsal") return "nothing, this was a rehearsal";
  if (models.some(({ price }) => !price)) return `unknown, ${counted(run.turns, "turn")}`;
  return `${money(run.microUsd)}${free ? " (this computer's own model)" : ""}, ${counted(run.turns, "turn")}`;
}

/** What the user does before. */
const FIRST: Partial<Record<RunReason, (place: RunPlace) => string>> = {
  credentials: ({ elsewhere }) =>
    elsewhere ? "set the model server's key where the API runs, then " : "set OPENAI_API_KEY, then ",
};

/** What has to be so first, with what tells it: behind the command, which is there to be pasted. */
const WHEN: Partial<Record<RunReason, (place: RunPlace) => string>> = {
  provider: ({ elsewhere }) => `when the model server answers${elsewhere ? "" : ": l2mac doctor tells"}`,
  evaluator_not_ready: ({ flag }) => `when the evaluator is ready: l2mac doctor${flag} tells`,
};

export function nextCommand(run: Run, place: RunPlace = HERE): string {
  const id = shortId(run.id);
  if (run.status === "completed") return `l2mac get ${id}${place.flag}`;
  if (run.reason === "damaged") {
    return `l2mac get ${id}${place.flag}, then a run of its own for the rest, with --from and that folder; or, where what is missing can be put back, l2mac resume ${id}${place.flag}`;
  }
  if (run.reason === "trapped") return `l2mac log ${id}${place.flag}   (${afterStuck(run, place)})`;
  if (waitsForApproval(run)) return approvalCommands(run, place);
  if (run.reason === "daily") return `${nextDayOf(run)}l2mac resume ${id}${place.flag}`;
  const more = isCeiling(run.reason) ? higherFlag(run, run.reason) : undefined;
  const first = run.reason && FIRST[run.reason]?.(place);
  const when = run.reason && WHEN[run.reason]?.(place);
  return `${first ?? ""}l2mac resume ${id}${more ? ` ${more}` : ""}${place.flag}${when ? `   (${when})` : ""}`;
}

function afterStuck(run: Run, { flag }: RunPlace): string {
  const id = shortId(run.id);
  return isAllButSkipped(run)
    ? `what was skipped; then begin a run of its own for it, with --from and these files: l2mac get ${id}${flag}`
    : `what it tried; to go on: l2mac resume ${id}${flag}`;
}

/** As a date: it may be read on any day. */
function nextDayOf({ endedAt, neededMicroUsd }: Run): string {
  if (endedAt === undefined) return "";
  if (neededMicroUsd === undefined) return "raise dailyUsd in the configuration, then ";
  const next = new Date(Date.parse(endedAt) + 86_400_000).toISOString().slice(0, 10);
  return `from 00:00 UTC on ${next}: `;
}

function approvalCommands({ id: runId }: Run, { flag }: RunPlace): string {
  const id = shortId(runId);
  return `l2mac approve ${id}${flag}, or l2mac reject ${id}${flag}. To change the program first: l2mac watch ${id}${flag} > program.md, edit it, then l2mac approve ${id} --program program.md${flag}`;
}
