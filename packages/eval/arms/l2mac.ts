/** The machine itself: what it sent, request by request. */
import type { ArmParts, SentContext } from "./arm.ts";

export async function* l2mac({ events }: Pick<ArmParts, "events">): AsyncGenerator<SentContext> {
  for (const event of events) {
    if (event.kind === "request") yield { instruction: event.instruction, text: event.sent ?? "" };
  }
}
