/** The live view as lines: one header, then one line to an instruction, whatever the terminal's size. Pure. */
import { TURNS_PER_INSTRUCTION } from "../../core/limits.ts";
import type { AnswerUnderway } from "../../core/ports.ts";
import { type InstructionState, isAccepted } from "../../core/run/history.ts";
import type { Activity, InstructionProgress, RunProgress } from "../../core/run/run-progress.ts";
import { amount, money, span } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { categoryOf } from "../../core/turn/tools.ts";
import { columnsOf, fitted, padded } from "./columns.ts";
import { headlineText } from "./event-line.ts";

export interface LiveFrame {
  view: RunProgress;
  /** `run 7FQ3KD · url-shortener`. */
  title: string;
  budgetUsd?: number | undefined;
  /** Nothing of the run can cost: then no cost is shown. */
  isFree?: boolean;
  startedAt: number;
  now: number;
  columns: number;
  rows: number;
  color: boolean;
}

export function liveLines(frame: LiveFrame): string[] {
  const { view, columns } = frame;
  // One row stays free, so that nothing scrolls.
  const most = Math.max(1, frame.rows - 1);
  const foot = most > 2 ? footOf(frame) : [];
  const room = Math.max(1, most - 1 - foot.length);
  const { above, shown, below } = windowOf(view, room);
  const lines = [
    fitted(headOf(frame), columns),
    ...(above > 0 ? [faint(frame, `   … ${above} more above`)] : []),
    ...shown.map((line) => instructionLine(line, frame)),
    ...(below > 0 ? [faint(frame, `   … ${below} more below`)] : []),
  ];
  return [...lines, ...foot.map((line) => faint(frame, line))].slice(0, most);
}

/** `rehearsal 7FQ3KD`: what the title is not cut below. */
const LEAST_TITLE = 16;

/** Narrow terminals drop the least important parts first. */
function headOf({ view, title, budgetUsd, isFree, startedAt, now, columns }: LiveFrame): string {
  const accepted = view.instructions.filter(({ state }) => isAccepted(state)).length;
  const place = view.total > 0 ? `${accepted}/${view.total}` : view.phase;
  const cost = money(view.microUsd);
  const ofBudget = budgetUsd === undefined ? cost : `${cost} of ${money(budgetUsd * 1e6)}`;
  const time = span(now - startedAt);
  const { passed, total } = view.tests;
  const tests = total > 0 ? [`tests ${passed}/${total}`] : [];
  const costs = isFree ? [[], [], []] : [[ofBudget], [cost], [cost]];
  for (const parts of [
    [place, ...(costs[0] ?? []), time, ...tests],
    [place, ...(costs[1] ?? []), time, ...tests],
    [place, ...(costs[2] ?? []), time],
    [place, time],
  ]) {
    const rest = ` · ${parts.join(" · ")}`;
    const room = columns - columnsOf(rest);
    if (room >= Math.min(LEAST_TITLE, columnsOf(title))) return cutTitle(title, room) + rest;
  }
  return `${place} · ${title}`;
}

const SEPARATOR = " · ";

/** Without room for the name, only the run id is shown. */
function cutTitle(title: string, room: number): string {
  const [run = ""] = title.split(SEPARATOR, 1);
  const isRoomForName = room > columnsOf(run + SEPARATOR) + 1;
  return isRoomForName || columnsOf(title) <= room ? fitted(title, room) : fitted(run, room);
}

function footOf({ view, now, columns }: LiveFrame): string[] {
  const { waiting, headline, underway } = view;
  if (waiting) {
    const left = waiting.until === undefined ? "" : `, next try in ${span(waiting.until - now)}`;
    return [fitted(` waiting${left}: ${sanitizeLine(waiting.why)}`, columns)];
  }
  if (underway && !view.instructions.some(({ number }) => number === underway.instruction))
    return [fitted(` ${writtenText(underway)}`, columns)];
  return headline ? [fitted(` ${sanitizeLine(headlineText(headline))}`, columns)] : [];
}

/** Keeps the running instruction visible, with more of what follows than of what is done. */
function windowOf(view: RunProgress, room: number): { above: number; shown: InstructionProgress[]; below: number } {
  const all = view.instructions;
  const hidden = Math.max(0, view.total - all.length);
  if (all.length <= room && hidden === 0) return { above: 0, shown: all, below: 0 };
  // Both marks take a row of their own, where there are rows.
  const marked = room > 2;
  const space = marked ? room - 2 : room;
  const running = all.findIndex(({ state }) => state === "started");
  const at = running >= 0 ? running : all.filter(({ state }) => isAccepted(state)).length;
  const from = Math.max(0, Math.min(at - Math.floor(space / 3), all.length - space));
  const shown = all.slice(from, from + space);
  if (!marked) return { above: 0, shown, below: 0 };
  return { above: from, shown, below: all.length - from - shown.length + hidden };
}

const MARKS: Record<InstructionState, string> = {
  pending: "·",
  started: "▶",
  accepted: "✔",
  unchecked: "~",
  stuck: "✘",
  skipped: "↷",
};
/** Then there is room for the title alone. */
const NARROW_COLUMNS = 30;
/** Of a terminal: then there is none for what an instruction cost. */
const NO_COST_COLUMNS = 40;
/** `12 written 3 read  repaired 1  refused 1` */
const DEEDS_COLUMNS = 34;
const TITLE_COLUMNS = 48;
const COST_COLUMNS = 9;
const TIME_COLUMNS = 6;

function instructionLine(line: InstructionProgress, frame: LiveFrame): string {
  const { view, columns } = frame;
  const digits = String(Math.max(view.total, line.number)).length;
  const mark = MARKS[line.state];
  const head = ` ${mark} ${String(line.number).padStart(digits)} `;
  const tail = line.state === "pending" && line.turns === 0 ? "" : tailOf(line, frame);
  const room = Math.max(8, columns - columnsOf(head) - columnsOf(tail) - 1);
  const titles = Math.max(...view.instructions.map(({ title }) => columnsOf(sanitizeLine(title))));
  const written = view.underway?.instruction === line.number ? view.underway : undefined;
  const deeds = laneText(line, view) + deedsOf(line, written);
  const text = tail === "" ? fitted(sanitizeLine(line.title), room) : middleOf({ ...line, deeds }, room, titles);
  return painted(frame, line.state, fitted(`${head}${text}${tail}`, columns));
}

/** Title and what is done, sharing the room that is left. */
function middleOf(line: { title: string; deeds: string }, room: number, longestTitle: number): string {
  const title = sanitizeLine(line.title);
  if (room < NARROW_COLUMNS) return padded(title, room);
  const titleColumns = Math.min(TITLE_COLUMNS, longestTitle, titleShare(room));
  return `${padded(title, titleColumns)}  ${padded(sanitizeLine(line.deeds), room - titleColumns - 2)}`;
}

/** About half: less where what is done needs it, a little more where that has enough. */
const titleShare = (room: number): number =>
  Math.floor(Math.max(room * 0.4, Math.min(room * 0.55, room - 2 - DEEDS_COLUMNS)));

/** From here on it is near the end of its turns. */
const NOTED_TURNS = TURNS_PER_INSTRUCTION / 2;

/** `lane 2: `, while it is executed or waits to join. */
const laneText = ({ state, lane = 1 }: InstructionProgress, { hasLanes }: RunProgress): string =>
  hasLanes && state === "started" ? `lane ${lane}: ` : "";

const writtenText = ({ characters }: AnswerUnderway): string => `the model writes: ${amount(characters)} characters`;

function deedsOf(line: InstructionProgress, underway: AnswerUnderway | undefined): string {
  const { state, turns, activity, written, read, newTests, tests } = line;
  const doing = underway ? writtenText(underway) : activity ? activityText(activity) : "";
  if (state === "started")
    return turns < NOTED_TURNS ? doing : `turn ${turns}/${TURNS_PER_INSTRUCTION}  ${doing}`.trimEnd();
  if (state === "skipped") return "skipped; its changes are reverted";
  const files = [...(written > 0 ? [`${written} written`] : []), ...(read > 0 ? [`${read} read`] : [])].join(" ");
  const more =
    newTests > 0 ? `tests +${newTests}` : tests && tests.total > 0 ? `tests ${tests.passed}/${tests.total}` : "";
  return [files, ...marksOf(line), more, state === "unchecked" ? "unchecked" : ""].filter(Boolean).join("  ");
}

/** What happened on the way stays in the row. */
const marksOf = ({ repaired, refused, dropped }: InstructionProgress): string[] => [
  ...(dropped === undefined ? [] : [`again: ${dropped}`]),
  ...(repaired > 0 ? [`repaired ${repaired}`] : []),
  ...(refused > 0 ? [`refused ${refused}`] : []),
];

const OUTCOMES: Record<string, string> = {
  prose: "answered without a tool call",
  cut: "the answer was cut off",
  timed_out: "the model took too long",
  context_exceeded: "the request was too large",
};

function activityText(activity: Activity): string {
  switch (activity.kind) {
    case "asking_model":
      return "waiting for the model";
    case "repairing":
      return `repairing: ${activity.why}`;
    case "retrying":
      return `retry ${activity.tries}: ${activity.why}`;
    case "finished":
      return "finished, joins in its turn";
    case "halted":
      return `stopped: ${activity.why}`;
    case "turn": {
      const { tools, outcome } = activity;
      const last = tools.findLast(({ name }) => categoryOf(name) !== "end") ?? tools.at(-1);
      if (!last) return OUTCOMES[outcome] ?? outcome;
      return `${last.name.replaceAll("_", " ")} ${last.note}`.trim();
    }
    default:
      return activity satisfies never;
  }
}

function tailOf(
  { state, microUsd, startedAt, milliseconds }: InstructionProgress,
  { now, columns, isFree }: LiveFrame,
): string {
  const time = state === "started" && startedAt !== undefined ? now - startedAt : milliseconds;
  const cost = isFree || columns < NO_COST_COLUMNS ? "" : ` ${money(microUsd).padStart(COST_COLUMNS - 1)}`;
  return `${cost} ${span(time).padStart(TIME_COLUMNS)}`;
}

const COLORS: Record<InstructionState, string> = {
  pending: "2",
  started: "1",
  accepted: "32",
  unchecked: "33",
  stuck: "31",
  skipped: "33",
};

const painted = ({ color }: LiveFrame, state: InstructionState, text: string): string =>
  color ? `\u001b[${COLORS[state]}m${text}\u001b[0m` : text;

const faint = (frame: LiveFrame, text: string): string => painted(frame, "pending", fitted(text, frame.columns));
