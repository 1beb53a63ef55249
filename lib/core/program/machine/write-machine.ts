/** The text of a compiled machine, within what Step Functions takes. Pure. */
import type { MachineDefinition } from "./compile-machine.ts";

/** Of a definition, in characters. */
const DEFINITION_BYTES = 1_048_576;

/** As people read it, or in one line where it would be too long. */
export function writeMachine(
  machine: MachineDefinition,
  limit = DEFINITION_BYTES,
): { text: string } | { problem: string } {
  const readable = `${JSON.stringify(machine, null, 2)}\n`;
  if (bytesOf(readable) <= limit) return { text: readable };
  const text = `${JSON.stringify(machine)}\n`;
  if (bytesOf(text) <= limit) return { text };
  return { problem: `its state machine has ${bytesOf(text)} bytes, and at most ${limit} are possible` };
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
