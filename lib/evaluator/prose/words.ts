/** Whether what an instruction wrote is as long as it asks for. Pure. */

import type { WordBudget } from "../../core/program/word-budget.ts";
import { type ProseFile, wordsOf } from "../../core/prose/book-text.ts";
import type { Finding } from "../../core/verdict/verdict.ts";

/** `written`: the chapters that are new, or else those that were changed, all together. */
export function wordFindings(written: ProseFile[], { least = 0, most }: WordBudget): Finding[] {
  const [first] = written;
  if (!first) return [];
  const count = written.reduce((sum, file) => sum + wordsOf(file, ["text", "heading", "quote", "list"]).length, 0);
  const others = written.length > 1 ? ` and ${written.length - 1} more` : "";
  const finding = (bound: string): Finding[] => [
    {
      path: first.path,
      message: `${first.path}${others}: ${count} words, and the instruction asks for ${bound}`,
      rule: "words",
    },
  ];
  if (count < least) return finding(`${least} at least`);
  return most !== undefined && count > most ? finding(`${most} at most`) : [];
}
