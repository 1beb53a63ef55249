/** Events as plain lines: for logs, pipes, and terminals that cannot redraw. Pure. */

import { madeWords } from "../../core/make/made-words.ts";
import { endedWords } from "../../core/run/ending-words.ts";
import type { Event } from "../../core/run/event.ts";
import { isOfLane, laneWords } from "../../core/run/lanes/lane-events.ts";
import type { Headline } from "../../core/run/run-progress.ts";
import { amount, money, pluralize, shortId, span } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { describeStuck } from "../../core/turn/stuck.ts";
import { givenNote } from "../../core/verdict/given-tests.ts";
import { scopeNote } from "../../core/verdict/verdict-words.ts";
import { waitingLine } from "./waiting-line.ts";

/** Undefined: a neighbouring event shows the same. */
export function lineOf(event: Event, total: number): string | undefined {
  const line = sentenceOf(event, total);
  return line === undefined ? undefined : sanitizeLine(line);
}

function sentenceOf(event: Event, total: number): string | undefined {
  if (isOfLane(event)) return `  ${laneWords(event)}`;
  switch (event.type) {
    case "created":
      return `task: ${event.task}`;
    case "forked":
      return forkedLine(event);
    case "planning":
      return planningLine(event);
    case "revising":
      return `revising the program: ${event.feedback}`;
    case "program":
      return programLine(event);
    case "baseline":
      return baselineLine(event);
    case "instruction_started":
      return `▶ ${event.instruction}/${total} ${event.title}${event.resumedAtTurn > 0 ? ` (after turn ${event.resumedAtTurn})` : ""}${event.lane === undefined ? "" : ` · lane ${event.lane}`}`;
    case "turn":
      return inLane(event, turnLine(event));
    case "verdict":
      return inLane(event, verdictLine(event));
    case "instruction_accepted":
      return acceptedLine(event, total);
    case "made":
      return `  ${madeWords(event)}`;
    case "restarted":
      return `  new conversation: ${event.why}`;
    case "loop":
      return `  repeated calls: ${event.measure}`;
    case "trapped":
      return `✘ ${event.instruction}/${total} ${event.title} · stuck: ${event.trap.detail}`;
    case "instruction_skipped":
      return `↷ ${event.instruction}/${total} ${event.title} · skipped; ${revertedText(event.paths)} · ${pluralize(event.turns, "turn")} · ${money(event.microUsd)}`;
    case "split":
      return `⑂ ${event.instruction}/${total} ${event.title} · stuck, split into ${event.titles.length}: ${event.titles.join("; ")}`;
    case "smoke":
      return smokeLine(event);
    case "waiting":
    case "asked":
    case "answered":
      return waitingLine(event, total);
    case "amended":
    case "model_changed":
    case "retry":
      return `  ${headlineText(event)}`;
    case "written_off":
      return writtenOffLine(event);
    case "checked":
    case "notice":
      return headlineText(event);
    case "approved":
      return "approved: the program is executed";
    case "resumed":
      return resumedLine(event);
    case "ended":
      return endedWords(event);
    default:
      return event satisfies never;
  }
}

/** Lines of several instructions follow each other: those of the first lane have no mark. */
const inLane = ({ lane, instruction }: { lane?: number | undefined; instruction: number }, line: string | undefined) =>
  lane === undefined || line === undefined ? line : `  lane ${lane}, instruction ${instruction} ·${line.slice(1)}`;

/** What it inherits was paid by the other run. */
const forkedLine = ({ run, point, inherited, turns, microUsd }: EventOf<"forked">): string =>
  `forked from run ${shortId(run)} at ${point}: ${pluralize(inherited, "instruction")} and ${pluralize(turns, "turn")} inherited, which cost ${money(microUsd)} there and cost nothing here`;

const writtenOffLine = ({ microUsd, tokens, why }: EventOf<"written_off">): string =>
  microUsd + tokens < 0
    ? `given back: ${money(-microUsd)} and ${amount(-tokens)} tokens: ${why}`
    : `counted as spent, to be safe: ${money(microUsd)} and ${amount(tokens)} tokens: ${why}`;

/** With what a person changed. */
function resumedLine({ instruction, hint, model, examinerModel, ...others }: EventOf<"resumed">): string {
  const { effort, stream, onStuck, checkMinutes } = others;
  const changes = [
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(examinerModel === undefined ? [] : [`${examinerModel} for the checks`]),
    ...(effort === undefined ? [] : [`effort ${effort}`]),
    ...(stream === undefined ? [] : [stream ? "with streams" : "without streams"]),
    ...(onStuck === undefined ? [] : [`on stuck: ${onStuck}`]),
    ...(checkMinutes === undefined ? [] : [`at most ${pluralize(checkMinutes, "minute")} for a check`]),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
  return [`resumed${goesOnWith(instruction)}`, ...changes].join(" · ");
}

function goesOnWith(instruction: number | undefined): string {
  if (instruction === undefined) return "";
  return `, goes on with ${instruction === 0 ? "planning" : `instruction ${instruction}`}`;
}

const revertedText = (paths: number): string =>
  paths === 0 ? "no changes to revert" : `changes to ${pluralize(paths, "file")} reverted`;

type EventOf<Type extends Event["type"]> = Extract<Event, { type: Type }>;

/** In the live view: events that stay on screen until the next one of them. */
export function headlineText(event: Headline): string {
  switch (event.type) {
    case "amended":
      return amendedText(event);
    case "restarted":
      return `instruction ${event.instruction} starts a new conversation: ${event.why}`;
    case "loop":
      return `instruction ${event.instruction} repeats itself: ${event.measure}`;
    case "trapped":
      return `instruction ${event.instruction} is stuck: ${describeStuck(event.trap)}`;
    case "model_changed":
      return modelText(event);
    case "checked":
      return checkedText(event);
    case "notice":
      return event.text;
    case "retry":
      return retryText(event);
    default:
      return event satisfies never;
  }
}

function checkedText({ text, holds, detail }: EventOf<"checked">): string {
  if (holds === undefined) return `checked ${text}: ${detail}`;
  return `checked ${text}: ${holds ? "holds" : "does not hold"} (${detail})`;
}

const retryText = ({ turn, tries, milliseconds, why }: EventOf<"retry">): string =>
  `turn ${turn}: retry ${tries} after ${seconds(milliseconds)}: ${why}`;

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)}s`;

const amendedText = ({ amendments }: EventOf<"amended">): string =>
  amendments.map(({ path, reason }) => `amended ${path}: ${reason}`).join("; ");

const modelText = ({ from, to, why }: EventOf<"model_changed">): string => `switched from ${from} to ${to}: ${why}`;

function programLine({ instructions, requirements, uncovered, mostSteps }: EventOf<"program">): string {
  const served = uncovered.length > 0 ? `; no instruction serves ${uncovered.slice(0, 10).join(", ")}` : "";
  const steps =
    mostSteps === undefined ? pluralize(instructions, "instruction") : `at most ${pluralize(mostSteps, "step")}`;
  return `program: ${steps} for ${pluralize(requirements, "requirement")}${served}`;
}

function turnLine({
  turn,
  tools,
  outcome,
  microUsd,
  milliseconds,
  inputTokens,
  cachedTokens,
  outputTokens,
  reserved,
}: EventOf<"turn">): string {
  const done = tools
    .map(({ name, ok, note, reason }) => `${ok ? "" : "✘ "}${name} ${note}`.trim() + (reason ? `: ${reason}` : ""))
    .join(", ");
  const cached = cachedTokens > 0 ? ` (${amount(cachedTokens)} cached)` : "";
  const counts = `${amount(inputTokens)}${cached} in, ${amount(outputTokens)} out, ${money(microUsd)}, ${span(milliseconds)}`;
  const note = reserved ? " (at most: the server did not count it, or not as can be)" : "";
  return `  turn ${turn}: ${done || outcome} · ${counts}${note}`;
}

function verdictLine(event: EventOf<"verdict">): string | undefined {
  const { syntax, tests, gate, scope = {}, evaluator } = event;
  const isBad = [syntax, tests].some((status) => BAD.has(status));
  if (gate === "none" && !isBad) return undefined;
  const parts = [
    ...(syntax === "not_run" ? [] : [`syntax ${statusWords(syntax)}${errorCount(event)}`]),
    ...(tests === "not_run" ? [] : [`tests ${statusWords(tests)}${testCounts(event)}`]),
  ];
  if (event.knownRed) parts.push(`${event.knownRed} known red`);
  const why = event.refusal ? `not accepted: ${event.refusal.join("; ")}` : event.detail;
  const partial = scopeNote(scope) && ` (${scopeNote(scope)})`;
  const request = isBad && evaluator ? ` · evaluator request ${evaluator.requestId}` : "";
  return `  verdict: ${parts.join(", ") || "nothing to check"}${partial}${why ? `: ${why}` : ""}${request}`;
}

const statusWords = (status: string): string => status.replaceAll("_", " ");

const errorCount = (event: EventOf<"verdict">): string =>
  event.syntax === "failed" ? ` (${pluralize(event.errors - testErrorsOf(event), "error")})` : "";

/** A file of tests that could not be loaded is an error, and no test of it failed. */
function testCounts(event: EventOf<"verdict">): string {
  const { passed, failed } = event;
  const errors = testErrorsOf(event);
  if (passed + failed + errors === 0) return "";
  return ` (${passed} passed, ${failed} failed${errors > 0 ? `, ${pluralize(errors, "error")}` : ""})`;
}

/** Events of earlier versions have only the sum. */
const testErrorsOf = ({ syntax, errors, testErrors = syntax === "failed" ? 0 : errors }: EventOf<"verdict">): number =>
  testErrors;

function baselineLine({ tests, passed, knownRed }: EventOf<"baseline">): string {
  const others: Record<string, string> = {
    not_run: "tests not run",
    timed_out: "the tests ran out of time, so that it is not known which are red; --check-minutes allows more",
  };
  const ran = others[tests] ?? `${pluralize(passed, "test")} passed`;
  return `the files that it starts from: ${ran}${knownRed > 0 ? `, ${knownRed} known red` : ""}`;
}

const BAD = new Set(["failed", "crashed", "timed_out"]);

const smokeLine = ({ status, reason, detail }: EventOf<"smoke">): string | undefined =>
  reason === "nothing_to_check" || reason === "turned_off"
    ? undefined
    : `${status === "passed" ? "✔" : "~"} clean-room check: ${detail}`;

function acceptedLine(event: EventOf<"instruction_accepted">, total: number): string {
  const { instruction, title, turns, microUsd, milliseconds, filesWritten, unchecked, tests, given, knownRed, mended } =
    event;
  const ofGiven = given ? `, ${givenNote(given)}` : "";
  const tested = tests.total > 0 ? ` · tests ${tests.passed}/${tests.total}${ofGiven}` : "";
  const red = `${knownRed ? ` · ${knownRed} known red` : ""}${mended ? ` · ${mended} mended` : ""}`;
  const written = event.unchanged ? "no file changed" : `${pluralize(filesWritten, "file")} written`;
  const what = `${pluralize(turns, "turn")} · ${written}${tested}${red}`;
  return `${unchecked ? "~" : "✔"} ${instruction}/${total} ${title} · ${what}${unchecked ? " · unchecked" : ""} · ${money(microUsd)} · ${span(milliseconds)}`;
}

function planningLine({ given, examining }: EventOf<"planning">): string | undefined {
  if (examining) return "writing the checks of the requirements";
  return given ? undefined : "planning the program";
}
