/** Searches the text of files with a safe regular expression: its time grows with the text, whatever the pattern. */
import * as z from "zod";
import { countFitting, fenced, oneLine } from "../core/text/cut.ts";
import { pluralize } from "../core/text/format.ts";
import { compileGlob } from "../core/text/glob.ts";
import type { WorkFiles } from "../core/turn/workbench.ts";
import { compileRegex } from "./compile-regex.ts";
import { hitText } from "./line-search.ts";
import { optional } from "./shape.ts";
import { defineTool, type Outcome, refusal } from "./tool.ts";
import { searchTree, type TreeHits } from "./tree-search.ts";

const PATTERN_CHARS = 1_000;
/** For the sentences before and after the lines. */
const AROUND_CHARS = 400;
const NAMED = 5;

export const searchFiles = defineTool({
  name: "search_files",
  category: "read",
  description:
    "Finds the lines that match a regular expression (RE2 syntax, line by line; begin with (?i) to ignore case), in all files or in those that match a glob.",
  schema: z.strictObject({
    pattern: z.string().min(1).max(PATTERN_CHARS),
    glob: optional(z.string().describe("such as *.py or src/**/*.{js,ts} or a folder")),
  }),
  async run({ pattern, glob }, bench) {
    const found = await findLines({ pattern, glob }, bench.files);
    if ("refused" in found) return found.refused;
    await bench.noteSight({ kind: "search", pattern, glob: glob ?? undefined, hits: found.hits });
    return answerOf(found, bench.answerChars);
  },
});

/** The same search on the same files finds the same lines, in any run. */
export async function findLines(
  { pattern, glob }: { pattern: string; glob?: string | null | undefined },
  files: WorkFiles,
): Promise<TreeHits | { refused: Outcome }> {
  const compiled = await compileRegex(pattern);
  if ("problem" in compiled)
    return { refused: refusal(`The pattern is not valid: ${compiled.problem}. ${SYNTAX}`, "bad pattern") };
  const where = compileGlob(glob ?? "");
  if ("problem" in where) return { refused: refusal(`The glob is not valid: ${where.problem}.`, "bad glob") };
  return searchTree({ regex: compiled.regex, where, files });
}

const SYNTAX =
  "Lookahead, lookbehind and backreferences are not part of RE2; a literal ( [ { . * + ? | ^ $ is written with a backslash before it.";

function answerOf(found: TreeHits, chars: number): Outcome {
  const { hits, filesSearched, passedOver, stopped } = found;
  const lines = hits.map(hitText);
  const shown = lines.slice(0, countFitting(lines, chars - AROUND_CHARS));
  const sentences = [
    `${hits.length === 0 ? "No lines" : pluralize(hits.length, "line")} found in ${filesSearched} files searched.`,
    ...(shown.length > 0 ? [fenced(shown.join("\n"))] : []),
    ...(shown.length < lines.length ? [`${lines.length - shown.length} more lines are left out.`] : []),
    ...(stopped ? [`The search ended early, ${stopped}.`] : []),
    ...(passedOver.length > 0 ? [`Too large to search: ${oneLine(passedOver.slice(0, NAMED).join(", "), 200)}.`] : []),
  ];
  if (stopped || shown.length < lines.length) sentences.push("A narrower pattern or glob shows the rest.");
  return { ok: true, text: sentences.join("\n"), note: { subject: pluralize(hits.length, "line") } };
}
