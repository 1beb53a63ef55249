/** The progress of a run as far as its events show it: for watchers that have no turns. Pure. */
import type { AnswerUnderway } from "../ports.ts";
import { categoryOf } from "../turn/tools.ts";
import type { Event } from "./event.ts";
import { markInherited } from "./forks/mark-inherited.ts";
import { applyLane, type InstructionProgress, newInstruction } from "./progress/instruction-progress.ts";

export type { Activity, InstructionProgress } from "./progress/instruction-progress.ts";

type EventOf<Type extends Event["type"]> = Extract<Event, { type: Type }>;

/** Events that stay on screen until the next one of them. */
export type Headline = EventOf<
  "amended" | "checked" | "restarted" | "loop" | "trapped" | "model_changed" | "notice" | "retry"
>;

export interface RunProgress {
  phase: string;
  /** Instructions are executed side by side. */
  hasLanes?: boolean;
  instructions: InstructionProgress[];
  /** Events carry the titles of the first instructions only. */
  total: number;
  microUsd: number;
  turns: number;
  /** When the last event came, but for that of an ending. */
  newsAt?: number;
  tests: { passed: number; total: number };
  /** Why the run waits, and until when. */
  waiting?: { why: string; until?: number };
  headline?: Headline;
  /** The answer that the model is writing. Set by the watcher: no event tells it. */
  underway?: AnswerUnderway | undefined;
}

export const emptyProgress = (): RunProgress => ({
  phase: "queued",
  instructions: [],
  total: 0,
  microUsd: 0,
  turns: 0,
  tests: { passed: 0, total: 0 },
});

export function applyEvent(progress: RunProgress, event: Event): void {
  if (event.type === "resumed") leaveOutStop(progress, event);
  // The end of a run whose process died is written when that is noticed.
  if (event.type !== "ended") progress.newsAt = Date.parse(event.at);
  if (event.type !== "waiting" && event.type !== "notice") delete progress.waiting;
  if (event.type === "forked") markInherited(progress.instructions, event);
  else if (event.type !== "asked" && event.type !== "answered") applyByType(progress, event);
}

function applyByType(progress: RunProgress, event: Exclude<Event, EventOf<"asked" | "answered" | "forked">>): void {
  switch (event.type) {
    case "planning":
    case "revising":
      progress.phase = event.type === "planning" && event.examining ? EXAMINING : "planning";
      return;
    case "program":
      applyProgram(progress, event);
      return;
    case "instruction_started":
      start(progress, event);
      return;
    case "turn":
      applyTurn(progress, event);
      return;
    case "verdict":
      applyVerdict(progress, event);
      return;
    case "instruction_accepted":
      accept(progress, event);
      return;
    case "instruction_skipped":
      skip(progress, event);
      return;
    case "split":
      split(progress, event);
      return;
    case "written_off":
      progress.microUsd += event.microUsd;
      return;
    case "waiting":
      progress.waiting = { why: event.why, ...(event.until ? { until: Date.parse(event.until) } : {}) };
      return;
    case "amended":
    case "restarted":
    case "checked":
    case "loop":
    case "model_changed":
    case "notice":
    case "trapped":
      if (event.type === "trapped") instructionIn(progress, event.instruction, event.title).state = "stuck";
      progress.headline = event;
      return;
    case "retry":
      retry(progress, event);
      return;
    case "ended":
      end(progress, event);
      return;
    case "finished":
    case "halted":
    case "joined":
    case "dropped":
      applyLane(instructionIn(progress, event.instruction), event);
      return;
    default:
      event satisfies EventOf<"made" | "created" | "baseline" | "smoke" | "approved" | "resumed">;
  }
}

/** The time between the last news of a stopped run and its resumption belongs to no instruction. */
function leaveOutStop(progress: RunProgress, { at }: EventOf<"resumed">): void {
  const stoppedMs = Date.parse(at) - (progress.newsAt ?? Date.parse(at));
  for (const own of progress.instructions) if (own.startedAt !== undefined) own.startedAt += Math.max(0, stoppedMs);
}

function applyProgram(progress: RunProgress, { titles, instructions }: EventOf<"program">): void {
  progress.phase = "running";
  progress.total = instructions;
  progress.instructions = titles.map((title, index) => newInstruction(index + 1, title));
}

function instructionIn(progress: RunProgress, number: number, title = ""): InstructionProgress {
  const known = progress.instructions.find((each) => each.number === number);
  if (known) return known;
  const added = newInstruction(number, title);
  progress.instructions.push(added);
  progress.instructions.sort((a, b) => a.number - b.number);
  return added;
}

function start(progress: RunProgress, { instruction, title, at, lane }: EventOf<"instruction_started">): void {
  progress.phase = "running";
  progress.total = Math.max(progress.total, instruction);
  const own = instructionIn(progress, instruction, title);
  own.state = "started";
  if (lane !== undefined) Object.assign(own, { lane });
  progress.hasLanes ||= lane !== undefined;
  own.activity = { kind: "asking_model" };
  own.startedAt ??= Date.parse(at);
}

const EXAMINING = "examining";

function applyTurn(progress: RunProgress, event: EventOf<"turn">): void {
  progress.microUsd += event.microUsd;
  progress.turns += 1;
  if (progress.headline?.type === "retry") delete progress.headline;
  if (event.instruction === 0) {
    const phase = progress.phase?.startsWith(EXAMINING) ? EXAMINING : "planning";
    progress.phase = `${phase}, turn ${event.turn}`;
    return;
  }
  const own = instructionIn(progress, event.instruction);
  own.turns = event.turn;
  own.microUsd += event.microUsd;
  for (const { name, ok, files } of event.tools) {
    const category = categoryOf(name);
    if (ok && (category === "write" || category === "delete")) own.written += files ?? 1;
    if (category === "run") own.written += files ?? 0;
    if (ok && category === "read") own.read += files ?? 0;
  }
  own.activity = { kind: "turn", tools: event.tools, outcome: event.outcome };
}

/** While planning there is no row, and it is the headline. */
function retry(progress: RunProgress, event: EventOf<"retry">): void {
  const { instruction, why, tries } = event;
  if (instruction === 0) progress.headline = event;
  else instructionIn(progress, instruction).activity = { kind: "retrying", why, tries };
}

function applyVerdict(progress: RunProgress, event: EventOf<"verdict">): void {
  if (event.instruction === 0) return;
  const isFailing = event.gate === "blocked" || event.syntax === "failed" || event.tests === "failed";
  const why = event.refusal?.[0] || event.detail || "checks failed";
  const own = instructionIn(progress, event.instruction);
  if (event.gate === "blocked") own.refused += 1;
  if (own.isFailing && !isFailing) own.repaired += 1;
  own.isFailing = isFailing;
  if (isFailing) own.activity = { kind: "repairing", why };
}

function accept(progress: RunProgress, event: EventOf<"instruction_accepted">): void {
  const { turns, microUsd, milliseconds, filesWritten: written, tests } = event;
  const own = instructionIn(progress, event.instruction, event.title);
  const newTests = Math.max(0, tests.total - progress.tests.total);
  delete own.activity;
  Object.assign(own, { state: event.unchecked ? "unchecked" : "accepted", newTests });
  Object.assign(own, { turns, microUsd, milliseconds, written, tests });
  if (tests.total > 0) progress.tests = tests;
}

/** Its cost remains; its changes are reverted. */
function skip(progress: RunProgress, event: EventOf<"instruction_skipped">): void {
  const { instruction, title, turns, microUsd, milliseconds } = event;
  const own = instructionIn(progress, instruction, title);
  delete own.activity;
  Object.assign(own, { state: "skipped", turns, microUsd, milliseconds, written: 0, read: 0 });
}

/** The first of its parts goes on with what it has used. */
function split(progress: RunProgress, { instruction, titles, instructions }: EventOf<"split">): void {
  const more = titles.length - 1;
  const own = instructionIn(progress, instruction);
  own.title = titles[0] ?? own.title;
  for (const later of progress.instructions) if (later.number > instruction) later.number += more;
  progress.instructions.push(...titles.slice(1).map((title, at) => newInstruction(instruction + 1 + at, title)));
  progress.instructions.sort((a, b) => a.number - b.number);
  progress.total = instructions;
}

function end(progress: RunProgress, { status, reason }: EventOf<"ended">): void {
  progress.phase = status;
  for (const own of progress.instructions) {
    if (own.state !== "started") continue;
    own.state = reason === "trapped" ? "stuck" : "pending";
    delete own.activity;
  }
}
