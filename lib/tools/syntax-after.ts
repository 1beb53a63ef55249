/** Writes answer with what the syntax check finds, so that errors are met where they arise. */
import { syntaxFeedback } from "../core/feedback.ts";
import { syntaxNote } from "../core/verdict-words.ts";
import type { Workbench } from "../core/workbench.ts";

export async function syntaxAfter(paths: string[], bench: Workbench): Promise<{ text: string; note: string }> {
  const verdict = await bench.check({ syntax: { paths } });
  return { text: syntaxFeedback(verdict, bench.answerChars), note: syntaxNote(verdict.syntax) };
}
