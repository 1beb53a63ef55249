/** What the model said in a turn, as lines below the line of the turn. */
import type { Event } from "../../core/run/event.ts";
import type { Connection } from "../runs/connection.ts";
import { textLines } from "./text-lines.ts";
import { indented } from "./turn-lines.ts";

/** Undefined: it is no turn, or one without an answer. */
export async function spokenText(
  connection: Pick<Connection, "turn">,
  runId: string,
  event: Event,
): Promise<string | undefined> {
  if (event.type !== "turn") return undefined;
  const { instruction, turn } = event;
  return (await connection.turn(runId, { instruction, turn }))?.answer?.answer.text.trim() || undefined;
}

export const spokenLines = (text: string): string[] =>
  indented(textLines(text, undefined)).map((line) => MARGIN + line);

/** Below the text of the line, not its number and time. */
const MARGIN = " ".repeat(14);
