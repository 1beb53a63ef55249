/** The instructions whose results another one uses. */
import type { Frames } from "../../core/program/language/frames.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Registry } from "../../registry/registry.ts";

const READ_AT_ONCE = 50;

/** In the order in which it names them; without `needs`, the one before. An id that a loop executes again names the last time. */
export async function neededBy(
  registry: Pick<Registry, "instruction" | "instructionsFrom">,
  runId: string,
  { number, needs, frames }: Pick<Instruction, "number" | "needs" | "frames">,
): Promise<Instruction[]> {
  if (!needs) {
    const previous = number > 1 ? await registry.instruction(runId, number - 1) : undefined;
    return previous ? [previous] : [];
  }
  const found = new Map<string, Instruction>();
  for (let last = number - 1; last >= 1 && found.size < needs.length; last -= READ_AT_ONCE) {
    const first = Math.max(1, last - READ_AT_ONCE + 1);
    const page = await registry.instructionsFrom(runId, { first, limit: last - first + 1 });
    for (const each of page.toReversed())
      if (each.id !== undefined && needs.includes(each.id) && !found.has(each.id) && isSameCall(each.frames, frames))
        found.set(each.id, each);
  }
  return needs.flatMap((id) => found.get(id) ?? []);
}

/** A called program has ids of its own, each time that it is called. */
const isSameCall = (one: Frames | undefined, other: Frames | undefined): boolean => callOf(one) === callOf(other);

const callOf = (frames: Frames = []): string =>
  JSON.stringify(frames.slice(0, frames.findLastIndex(({ call }) => call !== undefined) + 1));
