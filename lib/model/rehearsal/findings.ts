/** Finds errors and failing tests in tool answers, and is not misled by words of success ("0 failed"). Pure. */
import { categoryOf } from "../../core/turn/tools.ts";
import type { Symptom, ToolAnswer } from "./scene.ts";

const REPORTS_SYNTAX = /^(write|check|run|end)$/;
const REPORTS_TESTS = /^(check|run|end)$/;

/** "0 failed", "no syntax errors", "# fail 0", "errors: none": they contain the word and mean its opposite. */
const HARMLESS = [
  /\b(?:0|no|without(?: any)?)\s+(?:\w+\s+)?(?:fail\w*|errors?|findings?)\b/gi,
  /\b(?:fail\w*|errors?|findings?)\b\s*(?:[:=]\s*)?(?:0|none)\b/gi,
];
const SYNTAX = /syntax\s*errors?|invalid syntax|unexpected|expected\s+['"`]|never closed|unterminated|missing \)/i;
const FAILURE = /\bnot ok\b|\bnot accepted\b|\bfail(?:s|ed|ing|ures?)?\b|✖|\bassertionerror\b|\berrors?\b/i;
/** A finding is on the line that names the file, or a few below: a runner prints the source line in between. */
const LINES_BELOW = 6;

export const shows = (answers: ToolAnswer[], symptom: Symptom): boolean =>
  answers.some((answer) =>
    "syntaxErrorIn" in symptom ? hasSyntaxError(answer, symptom.syntaxErrorIn) : hasFailure(answer, symptom.testFails),
  );

const hasSyntaxError = ({ tool, text }: ToolAnswer, path: string): boolean =>
  REPORTS_SYNTAX.test(categoryOf(tool) ?? "") && linesAbout(path, text).some((lines) => SYNTAX.test(lines));

/** A failure whose text contains the test's name. */
const hasFailure = ({ tool, text }: ToolAnswer, name: string): boolean =>
  REPORTS_TESTS.test(categoryOf(tool) ?? "") && text.includes(name) && FAILURE.test(withoutHarmless(text));

function linesAbout(path: string, text: string): string[] {
  const lines = withoutHarmless(text).split("\n");
  return lines.flatMap((line, at) => (line.includes(path) ? [lines.slice(at, at + 1 + LINES_BELOW).join("\n")] : []));
}

const withoutHarmless = (text: string): string => HARMLESS.reduce((rest, harmless) => rest.replace(harmless, ""), text);
