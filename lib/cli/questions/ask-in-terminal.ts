/** Asks the question of a run on the terminal. */
import type { Instruction } from "../../core/program/program.ts";
import { type Reply, readReply } from "../../core/program/reply.ts";
import type { Shell } from "../display/shell.ts";
import { createTerminal } from "../display/terminal.ts";
import { questionLines } from "./show-question.ts";

const MOST_TRIES = 3;

/** Undefined: there is no terminal to ask on, or no answer came. */
export async function askInTerminal(shell: Shell, asking: Instruction): Promise<Reply | undefined> {
  const terminal = createTerminal({ input: process.stdin, output: shell.progress });
  if (!terminal.isThere) return undefined;
  for (const line of questionLines(asking)) shell.say(line);
  const stopped = new Promise<undefined>((resolve) => shell.signals.onStop(() => resolve(undefined)));
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const typed = await Promise.race([terminal.answer(asking.choices ? "Number or text:" : "Answer:"), stopped]);
    if (typed === undefined || typed.trim() === "") return undefined;
    const reply = replyTo(typed, asking);
    const read = readReply(reply, asking);
    if ("text" in read) return reply;
    shell.say(read.problem);
  }
  return undefined;
}

/** A number that is itself no choice is that of one. */
export function replyTo(typed: string, { choices }: Pick<Instruction, "choices">): Reply {
  const text = typed.trim();
  return choices && /^\d{1,2}$/.test(text) && !choices.includes(text) ? { choice: Number(text) } : { text };
}
