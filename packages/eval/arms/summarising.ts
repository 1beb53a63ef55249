/** One conversation that a summary of bounded size replaces whenever the window is full. */
import type { ArmParts, SentContext } from "./arm.ts";
import { endOf, ROOM_TOKENS, SUMMARY_TOKENS, startOf, tokensOf } from "./window.ts";

export async function* summarising({ events, summarise }: ArmParts): AsyncGenerator<SentContext> {
  let text = "";
  for (const event of events) {
    if (event.kind === "request") {
      yield { instruction: event.instruction, text };
      continue;
    }
    const message = `${event.text}\n\n`;
    if (tokensOf(text + message) > ROOM_TOKENS) text = `${startOf(await summarise(text), SUMMARY_TOKENS)}\n\n`;
    text = endOf(text + message, ROOM_TOKENS);
  }
}
