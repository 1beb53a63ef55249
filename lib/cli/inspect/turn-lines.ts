/** A turn as lines: what the model was shown, what it answered, what came of it. Pure. */
import { amount, money, pluralize, span } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { laneWordsOf } from "../../core/turn/lane-turns.ts";
import type { ToolResult } from "../../core/turn/turn.ts";
import { turnAddress } from "../../core/turn/turn-address.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { noteOf } from "../../core/verdict/verdict-words.ts";
import { localMoment } from "../display/local-time.ts";
import type { Paint } from "../display/paint.ts";
import { shownLines } from "./diff-text.ts";
import type { Prompt, ShownTurn } from "./shown-turn.ts";
import { cutLines, jsonLines, textLines } from "./text-lines.ts";
import { totalLine } from "./tree-diff.ts";

export interface Showing {
  paint: Paint;
  /** Long parts too. */
  all: boolean;
}

/** Lines of one part, without --all. */
const MOST = { block: 12, answer: 40, call: 24, result: 24, diff: 60 };

export function turnLines(shown: ShownTurn, { paint, all }: Showing): string[] {
  const most = (part: keyof typeof MOST): number | undefined => (all ? undefined : MOST[part]);
  const head = (text: string): string => paint("bold", `── ${sanitizeLine(text)}`);
  const block = (text: string): string => paint("blue", `· ${sanitizeLine(text)}`);
  const { answer, effects, prompt, tried, diffs } = shown;
  const calls = answer?.answer.toolCalls ?? [];
  const results = new Map((effects?.results ?? []).map((result) => [result.callId, result]));
  const called = calls.flatMap(({ id, name, arguments: given }) => {
    const result = results.get(id);
    const lines = jsonLines(result?.mended ?? given).flatMap((line) => textLines(line || " ", undefined));
    return [
      paint("bold", `→ ${sanitizeLine(name)}`),
      ...indented(all ? lines : cutLines(lines, MOST.call)),
      ...resultLines(result, { paint, most: most("result") }),
    ];
  });
  const notesOf = (verdicts: Verdict[]) => verdicts.map((verdict) => noteOf(verdict)).filter((note) => note !== "");
  const verdicts = notesOf(effects?.verdicts ?? []);
  const joining = notesOf(tried);
  return [
    paint("bold", titleOf(shown)),
    ...(prompt ? promptLines(prompt, { head, block, most: most("block") }) : []),
    head("Answer"),
    ...answerLines(shown, most("answer")),
    ...(calls.length > 0 ? [head(pluralize(calls.length, "call")), ...called] : []),
    ...(effects?.correction ? [head("Correction"), ...indented(textLines(effects.correction, most("result")))] : []),
    ...(verdicts.length > 0 ? [head("Checks"), ...indented(verdicts.map(sanitizeLine))] : []),
    ...(joining.length > 0 ? [head("Checks where it was to join"), ...indented(joining.map(sanitizeLine))] : []),
    ...diffLines(diffs, { head, paint, most: most("diff") }),
  ];
}

export const indented = (lines: string[]): string[] => lines.map((line) => (line === "" ? "" : `  ${line}`));

function titleOf({ record, answer }: ShownTurn): string {
  const { inputTokens, cachedTokens, outputTokens, microUsd, milliseconds } = record;
  const cached = cachedTokens > 0 ? ` (${amount(cachedTokens)} cached)` : "";
  return sanitizeLine(
    [
      `Turn ${turnAddress(record)}`,
      laneWordsOf(record) ?? "",
      record.state === "committed" ? outcomeOf(record) : "answered, not committed yet",
      answer?.answer.model ?? "",
      `${amount(inputTokens)}${cached} in, ${amount(outputTokens)} out, ${money(microUsd)}, ${span(milliseconds)}`,
      localMoment(record.at),
    ]
      .filter((part) => part !== "")
      .join(" · "),
  );
}

/** What a lane's own gate accepted can be dropped where it was to join. */
const outcomeOf = ({ outcome, lane }: ShownTurn["record"]): string =>
  outcome === "accepted" && lane !== undefined ? "accepted in its lane" : (outcome ?? "");

interface Parts {
  head: (text: string) => string;
  block: (text: string) => string;
  most: number | undefined;
}

function promptLines({ blocks, note }: Prompt, { head, block, most }: Parts): string[] {
  const characters = blocks.reduce((sum, { text }) => sum + text.length, 0);
  const size = blocks.length > 0 ? `: ${pluralize(blocks.length, "block")}, ${amount(characters)} characters` : "";
  return [
    head(`Prompt${size}`),
    ...(note ? [`  ${sanitizeLine(note)}`] : []),
    ...blocks.flatMap(({ title, text }) => [block(title), ...indented(textLines(text, most))]),
  ];
}

function answerLines({ record, answer, effects }: ShownTurn, most: number | undefined): string[] {
  if (effects?.saved) return indented(textLines(effects.saved.text, most));
  if (!answer) return [`  none${record.serverSaid ? `: ${sanitizeLine(record.serverSaid)}` : ""}`];
  const { text, finish } = answer.answer;
  const lines = text.trim() === "" ? ["(no text)"] : textLines(text, most);
  return indented(finish === "cut" ? [...lines, "(cut at the output limit)"] : lines);
}

function resultLines(
  result: ToolResult | undefined,
  { paint, most }: { paint: Paint; most: number | undefined },
): string[] {
  if (!result) return [paint("yellow", "  not run")];
  const { ok, note, text } = result;
  const mark = ok ? paint("green", "✔") : paint("red", "✘");
  return [`${mark} ${sanitizeLine(note)}`, ...indented(textLines(text, most))];
}

function diffLines(
  diffs: ShownTurn["diffs"],
  { head, paint, most }: { head: Parts["head"]; paint: Paint; most: number | undefined },
): string[] {
  if (diffs.length === 0) return [];
  const lines = diffs.map((diff) => shownLines(diff, paint));
  const shown = lines.flatMap((each) => (most === undefined ? each : cutLines(each, most)));
  return [head(`Files: ${totalLine(diffs)}`), ...shown];
}
