/** One growing conversation: where the window is full, the oldest text is cut, as chat clients do. */
import type { ArmParts, SentContext } from "./arm.ts";
import { endOf, ROOM_TOKENS } from "./window.ts";

export async function* growing({ events }: Pick<ArmParts, "events">): AsyncGenerator<SentContext> {
  let text = "";
  for (const event of events) {
    if (event.kind === "message") text = endOf(`${text}${event.text}\n\n`, ROOM_TOKENS);
    else yield { instruction: event.instruction, text };
  }
}
