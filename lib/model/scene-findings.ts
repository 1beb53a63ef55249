/** What a rehearsed model reads in tool results: findings and failures, but not the words of success. */
import type { Heard } from "./scene.ts";

const TELLS_OF_SYNTAX = new Set(["write_files", "edit_file", "run_checks", "run_command", "complete_instruction"]);
const TELLS_OF_TESTS = new Set(["run_checks", "run_command", "complete_instruction"]);

/** "0 failed", "no syntax errors", "# fail 0", "errors: none": they hold the word and mean its opposite. */
const HARMLESS = [
  /\b(?:0|no|without(?: any)?)\s+(?:\w+\s+)?(?:fail\w*|errors?|findings?)\b/gi,
  /\b(?:fail\w*|errors?|findings?)\b\s*[:=]?\s*(?:0|none)\b/gi,
];
const SYNTAX = /syntax\s*errors?|invalid syntax|unexpected|expected\s+['"`]|never closed|unterminated|missing \)/i;
const FAILURE = /\bnot ok\b|\bnot accepted\b|\bfail(?:s|ed|ing|ures?)?\b|✖|\bassertionerror\b|\berrors?\b/i;
/** A finding stands on the line that names the file, or a few below: a runner prints the source line in between. */
const LINES_BELOW = 6;

export const syntaxErrorIn = (path: string) => (heard: Heard[]) =>
  heard.some(({ tool, text }) => TELLS_OF_SYNTAX.has(tool) && about(path, text).some((lines) => SYNTAX.test(lines)));

/** A failure whose text holds the test's name. */
export const testFails = (name: string) => (heard: Heard[]) =>
  heard.some(
    ({ tool, text }) => TELLS_OF_TESTS.has(tool) && text.includes(name) && FAILURE.test(withoutHarmless(text)),
  );

function about(path: string, text: string): string[] {
  const lines = withoutHarmless(text).split("\n");
  return lines.flatMap((line, at) => (line.includes(path) ? [lines.slice(at, at + 1 + LINES_BELOW).join("\n")] : []));
}

const withoutHarmless = (text: string): string => HARMLESS.reduce((rest, harmless) => rest.replace(harmless, ""), text);
