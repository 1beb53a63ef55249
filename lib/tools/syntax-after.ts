/** Writes answer with what the syntax check finds, so that errors are met where they arise. */
import type { Workbench } from "../core/turn/workbench.ts";
import { syntaxFeedback } from "../core/verdict/feedback.ts";
import { syntaxNote } from "../core/verdict/verdict-words.ts";

export async function syntaxAfter(paths: string[], bench: Workbench): Promise<{ text: string; finding: string }> {
  const verdict = await bench.check({ syntax: { paths } });
  return { text: syntaxFeedback(verdict, bench.answerChars), finding: syntaxNote(verdict.syntax) };
}
