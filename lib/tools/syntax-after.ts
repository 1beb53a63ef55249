/** Writes answer with what the syntax check finds, so that errors are met where they arise. */
import { decodeText } from "../core/text/file-text.ts";
import { maskedKinds } from "../core/text/secrets.ts";
import type { Workbench } from "../core/turn/workbench.ts";
import { syntaxFeedback } from "../core/verdict/feedback.ts";
import { syntaxNote } from "../core/verdict/verdict-words.ts";

export async function syntaxAfter(paths: string[], bench: Workbench): Promise<{ text: string; finding: string }> {
  const verdict = await bench.check({ syntax: { paths } });
  const feedback = syntaxFeedback(verdict, bench.answerChars);
  const text = [feedback, await secretAdvice(paths, bench)].filter(Boolean).join("\n");
  return { text, finding: syntaxNote(verdict.syntax) };
}

/** Files are read masked: their masks say where secrets are. */
async function secretAdvice(paths: string[], { files }: Workbench): Promise<string> {
  const found: string[] = [];
  for (const path of paths) {
    const kinds = maskedKinds(decodeText((await files.read(path)) ?? new Uint8Array()) ?? "");
    if (kinds.length > 0) found.push(`${path} (${kinds.join(", ")})`);
  }
  return found.length === 0 ? "" : `${found.slice(0, FILES_NAMED).join(", ")}: ${ADVICE}`;
}

const FILES_NAMED = 5;
const ADVICE =
  "this looks like a secret, and is shown masked. A file keeps those that it had where their masks stay in it. Do not write new ones: read them from the environment, unless they are made-up examples.";
