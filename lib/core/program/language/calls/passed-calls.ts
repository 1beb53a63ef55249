/** The calls that a program comes into, and goes out of, between two places. Pure. */
import type { Frames } from "../frames.ts";

/** The frames of the calls around the first place that are not around the other, outermost first. */
export const callsLeft = (from: Frames, to: Frames): number[] =>
  from.flatMap(({ call }, depth) => (call !== undefined && !isInside(to, from.slice(0, depth + 1)) ? [depth] : []));

export const callsEntered = (from: Frames, to: Frames): number[] => callsLeft(to, from);

/** Whether a place is inside this call, in the same rounds of the loops around it. */
export const isInside = (place: Frames, call: Frames): boolean =>
  place.length > call.length &&
  call.every(
    ({ at, round, call: label }, depth) =>
      place[depth]?.at === at && place[depth].round === round && place[depth].call === label,
  );
