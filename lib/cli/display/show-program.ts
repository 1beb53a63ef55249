/** Prints the program of a run in the form in which people read it, change it, and give it back. */
import type { Draft } from "../../core/program/program.ts";
import { renderProgramMarkdown } from "../../core/program/program-text.ts";
import { sanitize } from "../../core/text/sanitize.ts";
import type { Shell } from "./shell.ts";
import { writeNewFile } from "./write-new-file.ts";

/** `file`: of a name that is free. */
export async function showProgram(
  shell: Shell,
  program: Draft,
  { json = false, file }: { json?: boolean; file?: string | undefined } = {},
): Promise<void> {
  const asJson = json || file?.endsWith(".json") === true;
  const text = asJson ? `${JSON.stringify(program, null, 2)}\n` : renderProgramMarkdown(program);
  if (file !== undefined) await writeNewFile(shell, file, text);
  else shell.out(shell.resultOnTerminal ? sanitize(text) : text);
}
