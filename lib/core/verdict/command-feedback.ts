/** What a command did, said to the model. Pure. */
import { headAndTail } from "../text/cut.ts";
import { sanitize } from "../text/sanitize.ts";
import { withOutput } from "./program-output.ts";
import type { Verdict } from "./verdict.ts";
import { because, commandWords, missingWords } from "./verdict-words.ts";

export function commandFeedback(verdict: Verdict, chars: number): string {
  const { command, syntax, truncated } = verdict;
  const did = command ? commandWords(command) : `not run${because(syntax)}`;
  const sentences = [`Command: ${did}.`, ...missingWords(verdict)];
  if (truncated.length > 0) sentences.push("The output was cut short.");
  return withOutput(sentences, command ? commandOutput(command, chars) : [], chars);
}

type Command = NonNullable<Verdict["command"]>;

/** Each stream gets half, so that neither hides the other. */
export const commandOutput = ({ stdout, stderr }: Command, chars: number): string[] => [
  stream("stdout", stdout, chars / 2),
  stream("stderr", stderr, chars / 2),
];

function stream(name: string, text: string, chars: number): string {
  const shown = sanitize(text).trimEnd();
  return shown === "" ? "" : `${name}:\n${headAndTail(shown, Math.floor(chars))}`;
}
