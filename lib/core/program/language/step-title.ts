/** Names a step of a program by its place. Pure. */
import { nodeAt } from "./advance.ts";
import type { Frames } from "./frames.ts";
import type { Program } from "./schema.ts";

/** `3[2].1`: the first instruction in the second round, or list, of the third. `3(tests).1`: the first that the third calls. */
export const placeText = (frames: Frames): string =>
  frames.map(({ at, round, call }) => `${at + 1}${call ? `(${call})` : round ? `[${round}]` : ""}`).join(".");

/** With the calls that it is in, outermost first. */
export const titleInCalls = (title: string, calls: readonly string[]): string => [...calls, title].join(": ");

/** In later rounds of a `repeat` the title is the same, and the round tells the steps apart. */
export function titleAt(title: string, program: Program, frames: Frames): string {
  const loops = frames.flatMap(({ round = 1 }, index) => {
    const node = nodeAt(program, frames.slice(0, index + 1));
    return node?.kind === "repeat" && index < frames.length - 1 ? [round] : [];
  });
  const round = loops.at(-1) ?? 1;
  return round > 1 ? `${title} (round ${round})` : title;
}
