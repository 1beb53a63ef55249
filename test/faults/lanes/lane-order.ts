/** What lanes did, as the events tell of it: on files that hold what the instruction needs, and joined in order. */
import type { Instruction } from "../../../lib/core/program/program.ts";
import type { Event } from "../../../lib/core/run/event.ts";
import type { Note } from "../watched-storage.ts";

export function noteOrder(events: Event[], instructions: Instruction[], note: Note): void {
  const numbers = new Map(instructions.flatMap(({ id, number }) => (id === undefined ? [] : [[id, number] as const])));
  let latest = 0;
  for (const event of events) {
    if (event.type !== "finished" && event.type !== "joined") continue;
    const { instruction, base, type } = event;
    const needed = (instructions[instruction - 1]?.needs ?? []).map((id) => numbers.get(id) ?? 0);
    const missing = needed.filter((number) => number > base);
    if (missing.length > 0)
      note("I15", `${instruction} was executed on the files after ${base}, and needs ${missing.join(", ")}`);
    if (type !== "joined") continue;
    if (instruction <= latest) note("I15", `${instruction} joined after ${latest}`);
    latest = instruction;
  }
}
