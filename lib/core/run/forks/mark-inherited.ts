/** What a fork inherits is done when its own work begins; turns and cost of it are not its own. Pure. */
import type { InstructionState } from "../history.ts";

export function markInherited(
  instructions: { number: number; state: InstructionState }[],
  { inherited }: { inherited: number },
): void {
  for (const each of instructions) if (each.number <= inherited) each.state = "accepted";
}
