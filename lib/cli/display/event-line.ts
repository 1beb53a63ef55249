/** Events as plain lines: for logs, pipes, and terminals that cannot redraw. Pure. */

import { endedWords } from "../../core/run/ending-words.ts";
import type { Event } from "../../core/run/event.ts";
import { counted } from "../../core/text/counted.ts";
import { describeStuck } from "../../core/turn/stuck.ts";
import { scopeNote } from "../../core/verdict/verdict-words.ts";
import { plainText } from "./plain-text.ts";
import { clock, money, span, tokens, withMoments } from "./words.ts";

/** Undefined where the event says nothing that a neighbour does not say. */
export function lineOf(event: Event, total: number): string | undefined {
  const line = sentenceOf(event, total);
  return line === undefined ? undefined : plainText(line);
}

function sentenceOf(event: Event, total: number): string | undefined {
  switch (event.type) {
    case "created":
      return `task: ${event.task}`;
    case "planning":
      return "planning the program";
    case "program":
      return programLine(event);
    case "instruction_started":
      return `▶ ${event.instruction}/${total} ${event.title}${event.resumedAtTurn > 0 ? ` (after turn ${event.resumedAtTurn})` : ""}`;
    case "turn":
      return turnLine(event);
    case "verdict":
      return verdictLine(event);
    case "instruction_accepted":
      return acceptedLine(event, total);
    case "amended":
      return `  ${event.amendments.map(({ path, reason }) => `amended ${path}: ${reason}`).join("; ")}`;
    case "restarted":
      return `  begins anew with a fresh conversation: ${event.why}`;
    case "loop":
      return `  going in circles: ${event.measure}`;
    case "trapped":
      return `✘ ${event.instruction}/${total} ${event.title} · stuck: ${describeStuck(event.trap)}`;
    case "instruction_skipped":
      return `↷ ${event.instruction}/${total} ${event.title} · skipped; ${takenBack(event.paths)} · ${counted(event.turns, "turn")} · ${money(event.microUsd)}`;
    case "model_changed":
      return `  asks ${event.to} instead of ${event.from}: ${event.why}`;
    case "smoke":
      return smokeLine(event);
    case "waiting":
      return event.until === undefined
        ? withMoments(event.why)
        : `waiting: ${withMoments(event.why)} Next try at ${clock(event.until, event.at)}.`;
    case "written_off":
      return `${money(event.microUsd)} and ${tokens(event.tokens)} tokens counted as spent: ${event.why}`;
    case "notice":
      return withMoments(event.text);
    case "approved":
      return `approved (epoch ${event.epoch})`;
    case "resumed":
      return `resumed (epoch ${event.epoch})`;
    case "ended":
      return withMoments(endedWords(event));
  }
}

const takenBack = (paths: number): string =>
  paths === 0 ? "it had changed nothing" : `what it changed is taken back (${counted(paths, "file")})`;

type Told<Type extends Event["type"]> = Extract<Event, { type: Type }>;

function programLine({ instructions, requirements, uncovered }: Told<"program">): string {
  const served = uncovered.length > 0 ? `; no instruction serves ${uncovered.slice(0, 10).join(", ")}` : "";
  return `program: ${counted(instructions, "instruction")} for ${counted(requirements, "requirement")}${served}`;
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
}: Told<"turn">): string {
  const done = tools.map(({ name, ok, note }) => `${ok ? "" : "✘ "}${name} ${note}`.trim()).join(", ");
  const cached = cachedTokens > 0 ? ` (${tokens(cachedTokens)} cached)` : "";
  const counts = `${tokens(inputTokens)}${cached} in, ${tokens(outputTokens)} out, ${money(microUsd)}, ${span(milliseconds)}`;
  return `  turn ${turn}: ${done || outcome} · ${counts}`;
}

function verdictLine(event: Told<"verdict">): string | undefined {
  const { syntax, tests, passed, failed, errors, gate, scope = {}, evaluator } = event;
  const isBad = [syntax, tests].some((status) => BAD.has(status));
  if (gate === "none" && !isBad) return undefined;
  const parts = [
    ...(syntax === "not_run" ? [] : [`syntax ${syntax}${syntax === "failed" ? ` (${counted(errors, "error")})` : ""}`]),
    ...(tests === "not_run"
      ? []
      : [`tests ${tests}${passed + failed > 0 ? ` (${passed} passed, ${failed} failed)` : ""}`]),
  ];
  const why = event.refusal ? `not accepted: ${event.refusal.join("; ")}` : event.detail;
  const partial = scopeNote(scope) && ` (${scopeNote(scope)})`;
  const request = isBad && evaluator ? ` · evaluator's request ${evaluator.requestId}` : "";
  return `  verdict: ${parts.join(", ") || "nothing to check"}${partial}${why ? `: ${why}` : ""}${request}`;
}

const BAD = new Set(["failed", "crashed", "timed_out"]);

const smokeLine = ({ status, reason, detail }: Told<"smoke">): string | undefined =>
  reason === "nothing_to_check" || reason === "turned_off"
    ? undefined
    : `${status === "passed" ? "✔" : "~"} the delivery in an empty place: ${detail}`;

function acceptedLine(event: Told<"instruction_accepted">, total: number): string {
  const { instruction, title, turns, microUsd, milliseconds, filesWritten, unchecked, tests, given } = event;
  const ofGiven = given ? `, given tests ${given.passed}/${given.total}` : "";
  const tested = tests.total > 0 ? ` · tests ${tests.passed}/${tests.total}${ofGiven}` : "";
  const what = `${counted(turns, "turn")} · ${counted(filesWritten, "file")} written${tested}`;
  return `${unchecked ? "~" : "✔"} ${instruction}/${total} ${title} · ${what}${unchecked ? " · unchecked" : ""} · ${money(microUsd)} · ${span(milliseconds)}`;
}
