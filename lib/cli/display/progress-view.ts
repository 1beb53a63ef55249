/** What a watcher knows of a run, gathered from its events. Pure: whoever has seen the same events sees the same. */
import type { Event } from "../../core/run/event.ts";
import { describeStuck } from "../../core/turn/stuck.ts";
import { categoryOf } from "../../core/turn/tools.ts";

export interface InstructionView {
  number: number;
  title: string;
  status: "waiting" | "running" | "accepted" | "stuck" | "skipped";
  turns: number;
  /** What is being done now. */
  doing: string;
  written: number;
  read: number;
  /** More tests than before it. */
  newTests: number;
  tests?: { passed: number; total: number };
  unchecked: boolean;
  microUsd: number;
  startedAt?: number;
  milliseconds: number;
}

export interface ProgressView {
  phase: string;
  instructions: InstructionView[];
  /** Titles are told of the first ones only. */
  total: number;
  microUsd: number;
  turns: number;
  tests: { passed: number; total: number };
  /** Why nothing happens at the moment, and until when. */
  waiting?: { why: string; until?: number };
  /** The last thing worth knowing that is no turn. */
  notice: string;
}

export const emptyView = (): ProgressView => ({
  phase: "queued",
  instructions: [],
  total: 0,
  microUsd: 0,
  turns: 0,
  tests: { passed: 0, total: 0 },
  notice: "",
});

/** Changes the view by what an event tells. */
export function applyEvent(view: ProgressView, event: Event): void {
  if (event.type !== "waiting" && event.type !== "notice") delete view.waiting;
  if (event.type === "planning") view.phase = "planning";
  if (event.type === "program") applyProgram(view, event);
  if (event.type === "instruction_started") start(view, event);
  if (event.type === "turn") applyTurn(view, event);
  if (event.type === "verdict") applyVerdict(view, event);
  if (event.type === "instruction_accepted") accept(view, event);
  if (event.type === "written_off") view.microUsd += event.microUsd;
  if (event.type === "waiting") {
    view.waiting = { why: event.why, ...(event.until ? { until: Date.parse(event.until) } : {}) };
  }
  for (const { path, reason } of event.type === "amended" ? event.amendments : []) {
    view.notice = `amended ${path}: ${reason}`;
  }
  if (event.type === "restarted") view.notice = `instruction ${event.instruction} begins anew: ${event.why}`;
  if (event.type === "loop") view.notice = `instruction ${event.instruction} goes in circles: ${event.measure}`;
  if (event.type === "trapped") {
    instructionAt(view, event.instruction, event.title).status = "stuck";
    view.notice = `instruction ${event.instruction} is stuck: ${describeStuck(event.trap)}`;
  }
  if (event.type === "instruction_skipped") skip(view, event);
  if (event.type === "model_changed") view.notice = `asks ${event.to} instead of ${event.from}: ${event.why}`;
  if (event.type === "notice") view.notice = event.text;
  if (event.type === "ended") end(view, event);
}

type Told<Type extends Event["type"]> = Extract<Event, { type: Type }>;

function applyProgram(view: ProgressView, { titles, instructions }: Told<"program">): void {
  view.phase = "running";
  view.total = instructions;
  view.instructions = titles.map((title, index) => newInstruction(index + 1, title));
}

const newInstruction = (number: number, title: string): InstructionView => ({
  number,
  title,
  status: "waiting",
  turns: 0,
  doing: "",
  written: 0,
  read: 0,
  newTests: 0,
  unchecked: false,
  microUsd: 0,
  milliseconds: 0,
});

function instructionAt(view: ProgressView, number: number, title = ""): InstructionView {
  const known = view.instructions.find((each) => each.number === number);
  if (known) return known;
  const added = newInstruction(number, title);
  view.instructions.push(added);
  view.instructions.sort((a, b) => a.number - b.number);
  return added;
}

function start(view: ProgressView, { instruction, title, at }: Told<"instruction_started">): void {
  view.phase = "running";
  const line = instructionAt(view, instruction, title);
  line.status = "running";
  line.doing = "waiting for the model";
  line.startedAt ??= Date.parse(at);
}

function applyTurn(view: ProgressView, event: Told<"turn">): void {
  view.microUsd += event.microUsd;
  view.turns += 1;
  if (event.instruction === 0) {
    view.phase = `planning, turn ${event.turn}`;
    return;
  }
  const line = instructionAt(view, event.instruction);
  line.turns = event.turn;
  line.microUsd += event.microUsd;
  for (const { name, ok, note } of event.tools) {
    const category = categoryOf(name);
    if (ok && (category === "write" || category === "delete")) line.written += filesIn(note);
    if (ok && name === "read_files") line.read += filesIn(note);
  }
  line.doing = doingIn(event);
}

/** `src/app.js` is one file, `3 files` are three. */
const filesIn = (note: string): number => Number(/^(\d+) files?\b/.exec(note)?.[1] ?? 1);

const OUTCOMES: Record<string, string> = {
  prose: "answered without a call",
  cut: "the answer was cut short",
  timed_out: "the answer took too long",
  context_exceeded: "the request was too large",
};

function doingIn({ tools, outcome }: Told<"turn">): string {
  const last = tools.findLast(({ name }) => categoryOf(name) !== "end") ?? tools.at(-1);
  if (!last) return OUTCOMES[outcome] ?? outcome;
  return `${last.name.replaceAll("_", " ")} ${last.note}`.trim();
}

function applyVerdict(view: ProgressView, event: Told<"verdict">): void {
  if (event.instruction === 0) return;
  const line = instructionAt(view, event.instruction);
  const failing = event.gate === "blocked" || event.syntax === "failed" || event.tests === "failed";
  if (failing) line.doing = `repairing: ${event.refusal?.[0] || event.detail || "checks failed"}`;
}

function accept(view: ProgressView, event: Told<"instruction_accepted">): void {
  const line = instructionAt(view, event.instruction, event.title);
  line.status = "accepted";
  line.doing = "";
  line.turns = event.turns;
  line.microUsd = event.microUsd;
  line.milliseconds = event.milliseconds;
  line.written = event.filesWritten;
  line.unchecked = event.unchecked;
  line.tests = event.tests;
  line.newTests = Math.max(0, event.tests.total - view.tests.total);
  if (event.tests.total > 0) view.tests = event.tests;
}

/** Its cost stays, its work does not. */
function skip(
  view: ProgressView,
  { instruction, title, turns, microUsd, milliseconds }: Told<"instruction_skipped">,
): void {
  const line = instructionAt(view, instruction, title);
  Object.assign(line, { status: "skipped", doing: "skipped", turns, microUsd, milliseconds, written: 0, read: 0 });
}

function end(view: ProgressView, { status, reason }: Told<"ended">): void {
  view.phase = status;
  for (const line of view.instructions) {
    if (line.status !== "running") continue;
    line.status = reason === "trapped" ? "stuck" : "waiting";
    line.doing = "";
  }
}
