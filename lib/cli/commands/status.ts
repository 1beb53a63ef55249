/** `l2mac status`: how a run stands, what it cost, and what is next. */

import type { NextCommand } from "../../core/errors.ts";
import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import { provenWords } from "../../core/evidence/standing.ts";
import { gitAddressOf, type PushedBranch } from "../../core/git/origin.ts";
import { copiedWords } from "../../core/make/copied-steps.ts";
import { type WrittenOff, writtenOffWords } from "../../core/run/accounts/written-off.ts";
import type { DayAccount } from "../../core/run/daily.ts";
import { dayWords } from "../../core/run/daily.ts";
import { nextCommands, type RunPlace } from "../../core/run/ending-words.ts";
import { exitCodeOf } from "../../core/run/exit-codes.ts";
import { filesOf, filesWords } from "../../core/run/file-count.ts";
import { aheadIn, type BusyLane, busyWords } from "../../core/run/lanes/busy-lane.ts";
import { isAsleep, isEnded, lanesOf, type Run, statusText } from "../../core/run/run.ts";
import { shownRun } from "../../core/run/shown-run.ts";
import { commandLine, remedyText } from "../../core/text/command-line.ts";
import { amount, money, pluralize, shortId, span } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { amendmentsIn, type RecordedAmendment } from "../../core/verdict/amendment.ts";
import { givenNote } from "../../core/verdict/given-tests.ts";
import type { Command } from "../command.ts";
import { localMoment } from "../display/local-time.ts";
import { type Paint, paintFor, paintStatus } from "../display/paint.ts";
import { connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { lostIn } from "../runs/lost-calls.ts";
import { isUndelivered } from "../runs/pending-delivery.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { doneOf, nextTryOf } from "./list.ts";

export const status: Command = async (given, shell) => {
  const connection = await connect(given, shell);
  const run = await findRun(connection, given.words[0]);
  const alive = connection.isComputed(run);
  const branch = await connection.branch(run);
  const target = branch ? `branch ${branch.name} in ${branch.repository}` : await connection.folder(run);
  const undelivered = await isUndelivered(connection, run);
  const day = await connection.day(run.id);
  const hasLanes = lanesOf(run) > 1;
  const instructions = run.amended || hasLanes ? (await connection.program(run.id)).instructions : [];
  const amendments = amendmentsIn(instructions);
  const lanes = hasLanes && !isEnded(run.status) ? await connection.lanes(run.id) : [];
  const lost = await lostIn(connection, run);
  connection.close();
  if (given.flags.has(JSON_OUTPUT.name)) {
    const more = {
      ...(day ? { day } : {}),
      ...(lanes.length > 0 ? { lanes } : {}),
      ...(amendments.length > 0 ? { amendments } : {}),
      ...(lost ? { writtenOff: lost } : {}),
    };
    shell.out(`${JSON.stringify({ ...shownRun(run), alive, exitCode: exitCodeOf(run), ...more })}\n`);
  } else {
    const lines = linesOf(
      run,
      { ...connection, alive, target, undelivered, spent: day, lanes, ahead: aheadIn(instructions), amendments, lost },
      shell.launcher,
    );
    shell.out(`${lines.map((line) => painted(line, run, paintFor(shell))).join("\n")}\n`);
  }
  return 0;
};

/** Its status by how well it went, and what is wrong with it. */
function painted(line: string, run: Run, paint: Paint): string {
  if (line.startsWith("status ")) return paintStatus(paint, run, line);
  return line.startsWith("unchecked ") ? paint("yellow", line) : line;
}

interface StatusParts extends RunPlace {
  alive: boolean;
  /** Where its files go. */
  target: string | undefined;
  undelivered: boolean;
  /** By all runs together. */
  spent: DayAccount | undefined;
  lanes: BusyLane[];
  /** What lanes finished, or did in vain. */
  ahead: string[];
  amendments: RecordedAmendment[];
  lost: WrittenOff | undefined;
}

function linesOf(
  run: Run,
  { alive, target, undelivered, spent, lanes, ahead, amendments, lost, ...place }: StatusParts,
  launcher: string,
): string[] {
  const rows: [string, string][] = [
    ["run", `${run.id} (${run.name})`],
    ["task", run.title],
    ["status", statusText(run) + nextTryOf(run, Date.now()) + workOn(run, { alive, ...place })],
    ...(run.detail ? ([["", run.detail]] as [string, string][]) : []),
    ...(isAsleep(run) ? ([["until", localMoment(run.waitUntil ?? "")]] as [string, string][]) : []),
    ["model", `${run.profile.model}, window ${amount(run.profile.contextWindow)}${listOf(run)}`],
    ["done", `${doneOf(run)} instructions, ${filesWords(run)}${testsOf(run)}`],
    ...lanes.map((each): [string, string] => [`lane ${each.lane}`, busyWords(each, Date.now())]),
    ...ahead.map((each, index): [string, string] => [index === 0 ? "ahead" : "", each]),
    ...amendedRows(amendments),
    ["cost", costOf(run)],
    ...(lost ? ([["", writtenOffWords(lost)]] as [string, string][]) : []),
    ...(run.copied ? ([["copied", copiedWords(run.copied)]] as [string, string][]) : []),
    ...(spent ? ([["today", dayWords(spent)]] as [string, string][]) : []),
    ...(run.unchecked.length > 0 ? ([["unchecked", run.unchecked.join("; ")]] as [string, string][]) : []),
    ["evidence", evidenceRow(run)],
    ...(run.smoke ? ([["delivery", `clean-room check: ${run.smoke.detail}`]] as [string, string][]) : []),
    ...(run.secrets
      ? ([["secrets", `masked in ${pluralize(run.secrets, "result")} of tools`]] as [string, string][])
      : []),
    ...gitRows(run),
    ...forkRows(run),
    ["began", localMoment(run.createdAt)],
    ...(run.endedAt === undefined ? [] : ([["ended", localMoment(run.endedAt)]] as [string, string][])),
    ["files", target === undefined ? "-" : target + deliveryNote(run, undelivered, launcher)],
  ];
  const stands = isEnded(run.status) || (run.status === "waiting" && !isAsleep(run));
  const args = [shortId(run.id), ...place.remoteFlag];
  const watch = { command: "watch", args };
  const open = { command: "open", args, note: "shows it in the browser" };
  const isHere = target !== undefined && !undelivered && !place.elsewhere;
  const isDone = run.status === "completed" && run.reason === undefined && isHere;
  const commands = isDone ? [open] : stands ? nextCommands(run, place) : [watch];
  const next = commands.map((each, index): [string, string] => [index === 0 ? "next" : "", remedyText(each, launcher)]);
  return [...rows, ...next].map(([name, text]) => `${name.padEnd(10)}${sanitizeLine(text)}`);
}

const evidenceRow = ({ options, proven }: Run): string => {
  if (!asksForEvidence({ options })) return "off";
  return proven ? provenWords(proven) : "executed again when the run is delivered";
};

const gitRows = ({ git }: Run): [string, string][] =>
  git
    ? [
        ["start", `${gitAddressOf(git)}${git.commit === undefined ? " (not fetched yet)" : ` at ${git.commit}`}`],
        ...(git.pushed ? [["pushed", pushedNote(git.pushed)] as [string, string]] : []),
      ]
    : [];

const forkRows = ({ forkedFrom }: Run): [string, string][] =>
  forkedFrom ? [["fork of", `run ${shortId(forkedFrom.run)} at ${forkedFrom.at}; cost and turns are its own`]] : [];

const pushedNote = ({ branch, commit, pullRequest }: PushedBranch): string =>
  `branch ${branch} at ${commit.slice(0, 12)}${pullRequest === undefined ? "" : `, ${pullRequest}`}`;

const amendedRows = (amendments: RecordedAmendment[]): [string, string][] =>
  amendments.map(({ instruction, path, reason }, index) => [
    index === 0 ? "amended" : "",
    `${path} (instruction ${instruction}): ${reason}`,
  ]);

/** A folder that is named may not be there yet. */
function deliveryNote(run: Run, undelivered: boolean, launcher: string): string {
  if (undelivered) return ` (not delivered yet: ${commandLine(delivering(run), launcher)})`;
  return isEnded(run.status) && filesOf(run) > 0 ? "" : " (nothing is there yet)";
}

/** What failed or was cancelled would go on with resume. */
const delivering = ({ id, status }: Run): NextCommand => ({
  command: status === "completed" || status === "partial" ? "resume" : "get",
  args: [shortId(id)],
});

/** A process can hold a run long before it computes it: an attempt claims it when it begins. */
function workOn(run: Run, { alive, elsewhere }: Pick<StatusParts, "alive" | "elsewhere">): string {
  if (!alive || isAsleep(run)) return "";
  // Stacks of earlier versions do not show the mark.
  const isClaimed = run.markedAt !== undefined || (elsewhere && run.attempt > 0);
  return isClaimed ? ", being computed" : ", not being computed yet";
}

/** All that may be asked, and what each has cost so far. */
const listOf = ({ models, paid }: Run): string =>
  models
    ? `; of ${models.map(({ model, examines }, place) => `${model}${examines ? " for the checks" : ""} (${money(paid?.[place] ?? 0)})`).join(", ")}`
    : "";

const testsOf = ({ testsPassed, testsTotal, givenTests, knownRed }: Run): string =>
  (testsTotal > 0 ? `, tests ${testsPassed}/${testsTotal}` : "") +
  (givenTests ? `, ${givenNote(givenTests)}` : "") +
  (knownRed ? `, ${knownRed} known red` : "");

function costOf(run: Run): string {
  const { usd } = run.options.budget;
  const ceiling = usd === undefined ? "" : ` of ${money(usd * 1e6)}`;
  const cached = run.cachedTokens > 0 ? ` (${amount(run.cachedTokens)} cached)` : "";
  return `${money(run.microUsd)}${ceiling}, ${pluralize(run.turns, "turn")}, ${amount(run.inputTokens)} tokens in${cached}, ${amount(run.outputTokens)} out, ${span(run.activeMs)}`;
}
